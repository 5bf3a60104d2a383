// XML elements that remember what was read of them.

#include "carom/import/xml_node.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace carom::xml_node_test {
namespace {

std::vector<std::string> unread(const XmlNode& root) {
  std::vector<ImportNote> notes;
  list_unread(root, "a.xml", notes);
  std::vector<std::string> lines;
  for (const ImportNote& note : notes) lines.push_back(std::to_string(note.line) + ": " + note.text);
  return lines;
}

TEST(XmlNode, WhatNobodyAskedForIsLeft) {
  XmlNode root =
      parse_xml("<robot name=\"r\" extra=\"1\">\n<link name=\"a\" odd=\"2\"/>\n<joint/>\n<link/></robot>", "a.xml");
  EXPECT_EQ(unread(root).size(), 5u);  // two attributes of the root, which counts as read, and its three children
  EXPECT_EQ(*root.attribute("name"), "r");
  EXPECT_EQ(root.attribute("nothing"), nullptr);
  const std::vector<XmlNode*> links = root.all("link");
  ASSERT_EQ(links.size(), 2u);
  EXPECT_EQ(links[0]->line, 2);
  EXPECT_EQ(links[1]->line, 4);
  EXPECT_EQ(*links[0]->attribute("name"), "a");
  const std::vector<std::string> left = unread(root);
  ASSERT_EQ(left.size(), 3u);  // in the file's order
  EXPECT_NE(left[0].find("1: "), std::string::npos);
  EXPECT_NE(left[0].find("extra"), std::string::npos);
  EXPECT_NE(left[1].find("odd"), std::string::npos);
  EXPECT_NE(left[2].find("3: "), std::string::npos);
  root.ignore();
  EXPECT_TRUE(unread(root).empty());
}

TEST(XmlFaults, TellAllAtOnceInOrderAndEachOnce) {
  XmlNode root = parse_xml("<a x=\"1 2 3\" y=\"nan\" z=\"1e400\" w=\"two\"\n>\n<b/></a>", "a.xml");
  XmlFaults faults("a.xml");
  const auto x = faults.numbers(root, "x", 3);
  ASSERT_TRUE(x);
  EXPECT_EQ(*x, Vec3(1, 2, 3));
  EXPECT_TRUE(faults.empty());
  EXPECT_NO_THROW(faults.raise());
  EXPECT_FALSE(faults.numbers(root, "x", 2));
  EXPECT_FALSE(faults.number(root, "y"));
  EXPECT_FALSE(faults.number(root, "z"));
  EXPECT_FALSE(faults.number(root, "w"));
  EXPECT_EQ(faults.faults().size(), 4u);
  XmlNode* b = root.first("b");
  ASSERT_NE(b, nullptr);
  faults.add(*b, "later");
  faults.add(1, "earlier");
  faults.add(1, "earlier");
  try {
    faults.raise();
    FAIL() << "there are faults";
  } catch (const ImportError& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find("earlier"), text.rfind("earlier"));
    EXPECT_LT(text.find("earlier"), text.find("later"));
    EXPECT_NE(text.find("a.xml:3: later"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace carom::xml_node_test
