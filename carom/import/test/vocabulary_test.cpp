// Names that a format does not have: likely misspellings of a known name are taken for it, others are not.
#include "carom/import/vocabulary.h"

#include <gtest/gtest.h>

#include "carom/import/mjcf.h"
#include "carom/import/sdformat.h"
#include "carom/import/urdf.h"
#include "carom/import/vocabularies.h"

namespace carom::vocabulary_test {
namespace {

const std::vector<std::string> joint_names = {"damping", "friction", "lower",      "upper",   "effort",
                                              "mass",    "inertia",  "multiplier", "limited", "relative_to"};

/// Results of one slip in a word: a letter left out, doubled, wrong, or exchanged with the next.
std::vector<std::string> misspellings(const std::string& word) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < word.size(); ++i) {
    all.push_back(word.substr(0, i) + word.substr(i + 1));
    all.push_back(word.substr(0, i) + word[i] + word.substr(i));
    all.push_back(word.substr(0, i) + 'q' + word.substr(i + 1));
    if (i == 0 || word[i] == word[i - 1]) continue;
    std::string exchanged = word;
    std::swap(exchanged[i], exchanged[i - 1]);
    all.push_back(exchanged);
  }
  return all;
}

TEST(LikeName, IsFoundAfterEverySlipOfOneLetter) {
  for (const std::string& word : joint_names) {
    for (const std::string& slip : misspellings(word)) EXPECT_EQ(like_name(slip, joint_names), word) << slip;
  }
}

TEST(LikeName, MindsNeitherCapitalsNorHyphens) {
  EXPECT_EQ(like_name("Damping", joint_names), "damping");
  EXPECT_EQ(like_name("relativeTo", joint_names), "relative_to");
  EXPECT_EQ(like_name("relative-to", joint_names), "relative_to");
}

TEST(LikeName, IsFoundByItsBeginning) {
  EXPECT_EQ(like_name("damp", joint_names), "damping");
  EXPECT_EQ(like_name("low", joint_names), "lower");
  EXPECT_EQ(like_name("masses", joint_names), "mass");
}

TEST(LikeName, IsNotFoundForOtherWords) {
  const std::vector<std::string> known = {"collision", "visual", "inertial", "xyz", "rpy"};
  for (const char* word :
       {"collision_checking", "gazebo", "contact", "xy", "abc", "v", "", "self_collision_checking"}) {
    EXPECT_EQ(like_name(word, known), "") << word;
  }
  EXPECT_EQ(like_name(std::string(1000, 'a'), {std::string(1000, 'a') + "b"}), "") << "bounds the cost";
}

TEST(LikeName, IsTheNearestOfSeveral) {
  EXPECT_EQ(like_name("ixxy", {"iyy", "ixx", "ixy"}), "ixx") << "as near as ixy, and before it";
  EXPECT_EQ(like_name("limitd", {"limits", "limited"}), "limits") << "one letter each, the first";
  EXPECT_EQ(like_name("actuatorfrcrang", {"actuatorfrclimited", "actuatorfrcrange"}), "actuatorfrcrange");
}

/// Notes on the unknown names of a small format, and its faults.
std::pair<std::vector<ImportNote>, std::vector<ImportNote>> checked(const std::string& text,
                                                                    Vocabulary::Strictness strictness) {
  const Vocabulary format("TOY", strictness,
                          {{"toy", "name", "wheel axle picture"},
                           {"wheel axle", "radius", "bolt"},
                           {"axle/bolt", "length", ""},
                           {"bolt", "size", ""}});
  XmlNode root = parse_xml(text, "toy.xml");
  XmlFaults faults("toy.xml");
  format.check(root, faults);
  std::vector<ImportNote> unread;
  for (XmlNode& child : root.children) child.take();
  list_unread(root, "toy.xml", unread);
  return {unread, faults.faults()};
}

TEST(Vocabulary, TellsOpenFormatsFromClosedOnes) {
  const std::string text = "<toy>\n<wheel colour='red'/>\n<horn/></toy>";
  const auto [open_notes, open_faults] = checked(text, Vocabulary::Strictness::open);
  EXPECT_TRUE(open_faults.empty());
  ASSERT_EQ(open_notes.size(), 1u);
  EXPECT_EQ(open_notes[0].text, "attribute \"colour\" of <wheel>: TOY has none");
  EXPECT_EQ(open_notes[0].line, 2);
  EXPECT_TRUE(open_notes[0].foreign);
  const auto [closed_notes, closed_faults] = checked(text, Vocabulary::Strictness::closed);
  ASSERT_EQ(closed_faults.size(), 2u);
  EXPECT_EQ(closed_faults[0].line, 2);
  EXPECT_EQ(closed_faults[1].line, 3);
}

TEST(Vocabulary, AsksForTheShortWordsNearOneOfAClosedFormat) {
  const Vocabulary closed("TOY", Vocabulary::Strictness::closed, {{"servo", "kp kv name x", ""}});
  const auto fault = [&](const std::string& text) {
    XmlNode root = parse_xml(text, "toy.xml");
    XmlFaults faults("toy.xml");
    closed.check(root, faults);
    return faults.faults().at(0).text;
  };
  EXPECT_NE(fault("<servo kw='1'/>").find("remove it, or did you mean \"kp\" or \"kv\"?"), std::string::npos);
  EXPECT_EQ(fault("<servo qq='1'/>").find("did you mean"), std::string::npos);
}

TEST(Vocabulary, ALostPictureIsNoFaultOfAnOpenFormat) {
  const std::string text = "<toy><pictur/></toy>";
  const Vocabulary open("TOY", Vocabulary::Strictness::open, {{"toy", "", "wheel picture"}, {"wheel", "", ""}});
  XmlNode root = parse_xml(text, "toy.xml");
  XmlFaults faults("toy.xml");
  open.check(root, faults);
  EXPECT_TRUE(faults.empty());
  std::vector<ImportNote> unread;
  list_unread(root, "toy.xml", unread);
  ASSERT_EQ(unread.size(), 1u);
  EXPECT_EQ(unread[0].text, "<pictur>: TOY has none; did you mean <picture>?");
  EXPECT_EQ(checked(text, Vocabulary::Strictness::closed).second.size(), 1u);
}

TEST(Vocabulary, KnowsAnElementByWhereItStands) {
  EXPECT_TRUE(checked("<toy><wheel><bolt size='1'/></wheel></toy>", Vocabulary::Strictness::closed).second.empty());
  EXPECT_TRUE(checked("<toy><axle><bolt length='1'/></axle></toy>", Vocabulary::Strictness::closed).second.empty());
  EXPECT_EQ(checked("<toy><axle><bolt size='1'/></axle></toy>", Vocabulary::Strictness::closed).second.size(), 1u);
  EXPECT_EQ(checked("<toy><bolt size='1'/></toy>", Vocabulary::Strictness::open).second.size(), 1u) << "misplaced";
}

TEST(Vocabulary, LeavesAloneWhatBelongsToOthers) {
  const std::string text =
      "<toy xmlns='a' xmlns:b='c' b:size='1'><b:whele/><picture><wheeel radios='1'/></picture></toy>";
  EXPECT_TRUE(checked(text, Vocabulary::Strictness::closed).second.empty());
}

/// Every attribute that readers of mechanics ask for, with one letter too many, is a fault in each format.
TEST(Vocabulary, NoMisspeltNameIsLostInAnyFormat) {
  const std::string urdf =
      "<robot name='r'><link name='a'><inertial><origin xyz='0 0 0' rpy='0 0 0'/><mass value='1'/>"
      "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial><collision><geometry><box size='1 1 1'/>"
      "</geometry></collision></link><link name='b'/><joint name='j' type='revolute'><parent link='b'/><child "
      "link='a'/>"
      "<axis xyz='0 0 1'/><limit lower='0' upper='1'/><dynamics damping='0' friction='0'/></joint></robot>";
  const std::string sdf =
      "<sdf version='1.7'><model name='m'><link name='a'><pose relative_to='__model__'>0 0 0 0 0 "
      "0</pose><inertial><mass>1"
      "</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial><collision name='c'><geometry><sphere>"
      "<radius>1</radius></sphere></geometry></collision></link></model></sdf>";
  const std::string mjcf =
      "<mujoco><option gravity='0 0 -1'/><default><geom density='1'/></default><worldbody><body pos='0 0 0'><joint "
      "damping='1' range='0 1'/><geom size='1' friction='1'/></body></worldbody></mujoco>";
  const auto count_faults = [](const Vocabulary& format, const std::string& text) {
    XmlNode root = parse_xml(text, "x");
    XmlFaults faults("x");
    format.check(root, faults);
    return faults.faults().size();
  };
  const std::pair<const Vocabulary&, const std::string&> formats[] = {
      {urdf_vocabulary(), urdf}, {sdformat_vocabulary(), sdf}, {mjcf_vocabulary(), mjcf}};
  for (const auto& [format, text] : formats) {
    ASSERT_EQ(count_faults(format, text), 0u) << text;
    for (std::size_t at = text.find("='"); at != std::string::npos; at = text.find("='", at + 1)) {
      std::string misspelt = text;
      misspelt.insert(at, 1, misspelt[at - 1]);
      EXPECT_EQ(count_faults(format, misspelt), 1u) << misspelt.substr(at < 20 ? 0 : at - 20, 40);
    }
  }
}

}  // namespace
}  // namespace carom::vocabulary_test
