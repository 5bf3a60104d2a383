// Faults of the file itself, and texts damaged at random.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>

#include "carom/scene/scene.h"
#include "carom/scene/scene_text.h"
#include "carom/scene/yaml.h"
#include "testing/folders.h"

namespace carom::text_test {
namespace {

namespace fs = std::filesystem;

Diagnostic only_fault(const std::string& text) {
  try {
    static_cast<void>(parse_scene(text, "test.yaml"));
  } catch (const SceneError& error) {
    EXPECT_EQ(error.diagnostics().size(), 1u) << error.what();
    return error.diagnostics().front();
  }
  ADD_FAILURE() << "no fault was found";
  return {};
}

void expect_fault(const std::string& text, int line, int column, const std::string& part) {
  const Diagnostic fault = only_fault(text);
  EXPECT_EQ(fault.line, line);
  EXPECT_EQ(fault.column, column);
  EXPECT_NE(fault.message.find(part), std::string::npos) << fault.message;
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(SceneText, missing_file_and_folder_are_named) {
  const fs::path folder = fs::path(source_folder()) / "scenes";
  for (const auto& [path, part] : {std::pair{folder / "nowhere.yaml", "no such file"}, std::pair{folder, "a folder"}}) {
    try {
      static_cast<void>(load_scene(path.string()));
      ADD_FAILURE() << path;
    } catch (const SceneError& error) {
      EXPECT_EQ(std::string(error.what()).find(path.string() + ": "), 0u);
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos);
      EXPECT_EQ(error.diagnostics().at(0).line, 0);
    }
  }
}

TEST(SceneText, empty_text_is_refused) {
  for (const char* text : {"", "\n\n", "# only a comment\n"}) expect_fault(text, 0, 0, "the file is empty");
}

TEST(SceneText, bytes_that_are_no_text_are_refused_at_their_place) {
  expect_fault(std::string("carom: 1\nna\0me: x\n", 17), 2, 3, "not a text file");
  expect_fault("\x89HDF\r\n\x1a\n", 1, 1, "not UTF-8");
  expect_fault("carom: 1\nname: caf\xe9\n", 2, 10, "not UTF-8");
  expect_fault("name: \xc0\xaf\n", 1, 7, "not UTF-8");
  expect_fault("name: \xed\xa0\x80\n", 1, 7, "not UTF-8");
  expect_fault("name: \xf4\x90\x80\x80\n", 1, 7, "not UTF-8");
}

TEST(SceneText, columns_count_characters) {
  expect_fault(
      "carom: 1\ngravity: [0, 0, 0]\nmaterials: [{name: \"Ω größer\", friction: wet}]\n"
      "bodies: [{name: a, inertia: {mass: 1, moments: [1, 1, 1]}}]\nmethod: {step: 0.01}\nduration: 1\n",
      3, 42, "friction must be a number");
}

TEST(SceneText, lines_may_end_as_on_windows_and_start_with_a_byte_order_mark) {
  const std::string text = read(fs::path(source_folder()) / "scenes/bouncing_ball.yaml");
  std::string other = "\xef\xbb\xbf";
  for (const char letter : text) {
    if (letter == '\n') other += '\r';
    other += letter;
  }
  const Scene a = parse_scene(text, "a.yaml"), b = parse_scene(other, "b.yaml");
  EXPECT_TRUE(identical(a.initial, b.initial));
  EXPECT_EQ(a.name, b.name);
}

TEST(SceneText, larger_than_any_scene_is_refused) {
  expect_fault("carom: 1\n#" + std::string(16u << 20, 'x'), 0, 0, "larger than 16 MiB");
}

TEST(SceneText, more_values_than_any_scene_holds_are_refused) {
  std::string text = "carom: 1\nx: [";
  for (int i = 0; i < 1'000'010; ++i) text += "1, ";
  EXPECT_NE(only_fault(text + "]\n").message.find("more than 1000000 values"), std::string::npos);
}

TEST(SceneText, faults_beyond_the_two_hundredth_are_counted) {
  std::string text = "carom: 1\ngravity: [0, 0, 0]\nmethod: {step: 0.1}\nduration: 1\nbodies:\n";
  for (int i = 0; i < 300; ++i)
    text += "  - {name: b" + std::to_string(i) + ", inertia: {mass: 0, moments: [1, 1, 1]}}\n";
  try {
    static_cast<void>(parse_scene(text, "test.yaml"));
    ADD_FAILURE();
  } catch (const SceneError& error) {
    ASSERT_EQ(error.diagnostics().size(), Diagnostics::largest_count + 1);
    EXPECT_EQ(error.diagnostics().front().line, 6);
    EXPECT_EQ(error.diagnostics().back().message, "there are 100 more faults after these");
  }
}

TEST(SceneText, deep_chains_are_read_in_reasonable_time) {
  std::string text = "carom: 1\ngravity: [0, 0, 0]\nmethod: {step: 0.1}\nduration: 1\nbodies:\n";
  std::string joints = "joints:\n";
  for (int i = 0; i < 3000; ++i) {
    text += "  - {name: b" + std::to_string(i) + ", inertia: {mass: 1, moments: [1, 1, 1]}}\n";
    joints += "  - {name: j" + std::to_string(i) + ", type: revolute, child: b" + std::to_string(i) +
              ", parent: " + (i == 0 ? "world" : "b" + std::to_string(i - 1)) + "}\n";
  }
  EXPECT_EQ(parse_scene(text + joints, "test.yaml").model->velocity_count(), 3000);
}

/// Paths of all scalars in a tree.
void list_paths(const YamlNode& node, const std::string& path, std::vector<std::string>& paths) {
  if (node.kind == YamlNode::Kind::scalar) paths.push_back(path);
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const std::string step = node.keys.empty() ? std::to_string(i) : node.keys[i].text;
    list_paths(node.items[i], path.empty() ? step : path + "/" + step, paths);
  }
}

/// All but the columns.
void expect_same_tree(const YamlNode& a, const YamlNode& b) {
  ASSERT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.text, b.text);
  EXPECT_EQ(a.quoted, b.quoted);
  EXPECT_EQ(a.place.line, b.place.line);
  ASSERT_EQ(a.keys.size(), b.keys.size());
  for (std::size_t i = 0; i < a.keys.size(); ++i) EXPECT_EQ(a.keys[i].text, b.keys[i].text);
  ASSERT_EQ(a.items.size(), b.items.size());
  for (std::size_t i = 0; i < a.items.size(); ++i) expect_same_tree(a.items[i], b.items[i]);
}

TEST(SceneText, changed_numbers_have_the_tree_of_the_changed_text) {
  std::mt19937 engine(3);
  int compared = 0, formulas = 0;
  for (const fs::path path : shipped_scenes()) {
    const SceneText scene(read(path), path.string());
    Diagnostics diagnostics(path.string(), scene.text());
    const auto root = parse_yaml(scene.text(), diagnostics);
    std::vector<std::string> paths;
    list_paths(*root, "", paths);
    for (int draw = 0; draw < 8; ++draw) {
      std::vector<std::pair<std::string, double>> values;
      values.reserve(3);
      for (int k = 0; k < 3; ++k) values.emplace_back(paths[engine() % paths.size()], -0.5 * static_cast<double>(k));
      SceneText::Changed changed;
      try {
        changed = scene.changed(values);
      } catch (const Error&) {  // a text stands there, or one place came up twice
        continue;
      }
      ASSERT_NE(changed.tree, nullptr);
      EXPECT_EQ(changed.text, scene.with(values));
      Diagnostics of_changed(path.string(), changed.text);
      const auto anew = parse_yaml(changed.text, of_changed);
      ASSERT_TRUE(anew) << changed.text;
      expect_same_tree(*changed.tree, *anew);
      ++compared;
      for (const auto& [at, value] : values) formulas += scene.is_computed(at) ? 1 : 0;
    }
  }
  EXPECT_GT(compared, 100);
  EXPECT_GT(formulas, 10);
}

TEST(SceneText, quoted_and_neighbouring_numbers_have_the_tree_of_the_changed_text) {
  const SceneText scene("parameters: {a: \"0.5\", b: 2}\nuse: [1, \"=a + 1\", 3, {x: 4, y: =b}]\n", "test.yaml");
  const SceneText::Changed changed = scene.changed({{"use/0", 1e-9}, {"use/1", 7}, {"use/2", 8}, {"use/3/y", -1}});
  EXPECT_NE(changed.text.find("=7 + 0*a"), std::string::npos) << changed.text;
  Diagnostics diagnostics("test.yaml", changed.text);
  const auto anew = parse_yaml(changed.text, diagnostics);
  ASSERT_TRUE(anew);
  expect_same_tree(*changed.tree, *anew);
  EXPECT_EQ(anew->items[1].items[2].text, "8");
}

TEST(SceneText, a_tree_at_hand_includes_what_the_text_does) {
  const std::string file = (fs::path(source_folder()) / "scenes/with_include.yaml").string();
  const SceneText scene("carom: 1\ninclude: cube_toss.yaml\nduration: 1\n", file);
  const SceneText::Changed changed = scene.changed({{"duration", 0.5}});
  ASSERT_NE(changed.tree, nullptr);
  const Scene there = parse_scene(changed.text, file, {}, *changed.tree), anew = parse_scene(changed.text, file);
  EXPECT_EQ(there.duration, 0.5);
  EXPECT_EQ(there.text, anew.text);
  EXPECT_NE(there.text.find("# fingerprint of "), std::string::npos);
  EXPECT_EQ(there.file, anew.file);
  EXPECT_EQ(there.initial.v, anew.initial.v);
}

TEST(SceneText, a_tree_at_hand_gives_the_scene_and_the_faults_of_the_text) {
  const fs::path path = fs::path(source_folder()) / "scenes/cube_toss.yaml";
  const SceneText scene(read(path), path.string());
  const SceneText::Changed sound = scene.changed({{"bodies/cube/velocity/0", 0.7}});
  const Scene there = parse_scene(sound.text, path.string(), {}, *sound.tree);
  const Scene anew = parse_scene(sound.text, path.string());
  EXPECT_EQ(there.initial.v, anew.initial.v);
  EXPECT_EQ(there.text, anew.text);
  EXPECT_NE(there.initial.v, load_scene(path.string()).initial.v);
  // A longer number, and a fault behind it.
  const SceneText line("carom: 1\ngravity: [0, 0, 0]\nmethod: {step: 1, stepper: nowhere}\nduration: 1\n", "test.yaml");
  const SceneText::Changed faulty = line.changed({{"method/step", 0.00123}});
  try {
    static_cast<void>(parse_scene(faulty.text, "test.yaml", {}, *faulty.tree));
    ADD_FAILURE() << "no fault was found";
  } catch (const SceneError& error) {
    const std::string& text = faulty.text;
    const std::size_t at = text.find("nowhere") - text.find("method");
    EXPECT_EQ(error.diagnostics().back().column, static_cast<int>(at) + 1) << error.what();
  }
  EXPECT_EQ(line.changed({{"method/max_substep", 1.0}}).tree, nullptr);  // a key that the map lacks
  // The caller's choice of method is in force with a tree, too.
  SceneOverrides overrides;
  overrides.duration = 0.25;
  EXPECT_EQ(parse_scene(sound.text, path.string(), overrides, *sound.tree).duration, 0.25);
}

/// Scenes with random bytes and pieces changed either are refused with places inside the text, or make sense.
TEST(SceneText, damaged_at_random_is_refused_or_sound) {
  std::mt19937 engine(20000411);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(engine() % n); };
  std::vector<std::string> texts;
  for (const char* file : {"pendulum_limits", "bouncing_ball", "stewart2000/falling_rod", "stewart2000/four_balls"}) {
    texts.push_back(read(fs::path(source_folder()) / ("scenes/" + std::string(file) + ".yaml")));
  }
  const std::string pieces[] = {"&a ", "*a", "[",  "]",   "{",   "}",  ": ",    ", ", "\n",    "\n  ",
                                "- ",  "\"", "'",  "!t ", "|\n", "? ", ".inf",  "-1", "1e999", "~",
                                "<<",  "%",  "\t", "é",   "0",   "#",  "---\n", "\\"};
  int sound = 0, refused = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    std::string text = texts[below(texts.size())];
    for (std::size_t edits = 1 + below(4); edits > 0; --edits) {
      const std::size_t at = below(text.size());
      switch (below(4)) {
        case 0:
          text[at] = static_cast<char>(engine());
          break;
        case 1:
          text.erase(at, 1 + below(20));
          break;
        case 2:
          text.insert(at, pieces[below(std::size(pieces))]);
          break;
        default: {
          const std::size_t from = below(text.size());
          text.insert(at, text.substr(from, 1 + below(40)));
        }
      }
    }
    try {
      const Scene scene = parse_scene(text, "test.yaml");
      ++sound;
      EXPECT_TRUE(scene.initial.q.allFinite() && scene.initial.v.allFinite()) << text;
      EXPECT_GE(scene.steps(), 1);
    } catch (const SceneError& error) {
      ++refused;
      const auto lines = std::count(text.begin(), text.end(), '\n') + 1;
      for (const Diagnostic& fault : error.diagnostics()) {
        EXPECT_LE(fault.line, lines + 1) << error.what();
        EXPECT_GE(fault.column, fault.line > 0 ? 1 : 0) << error.what();
        EXPECT_FALSE(fault.message.empty());
      }
    }
  }
  EXPECT_GT(sound, 100);
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace carom::text_test
