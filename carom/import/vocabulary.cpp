#include "carom/import/vocabulary.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "carom/edit_distance.h"

namespace carom {
namespace {

std::vector<std::string> split(const std::string& names) {
  std::istringstream stream(names);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_of_others(const std::string& name) { return name.find(':') != std::string::npos || name == "xmlns"; }

/// Small letters, without hyphens and underscores.
std::string plain(const std::string& name) {
  std::string letters;
  for (const char c : name) {
    if (c != '_' && c != '-') letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return letters;
}

bool is_beginning(const std::string& a, const std::string& b) {
  constexpr std::size_t least = 3, most_missing = 4;
  return a.size() >= least && b.starts_with(a) && b.size() - a.size() <= most_missing;
}

std::size_t most_differences(std::size_t length) { return length < 4 ? 0 : length < 8 ? 1 : 2; }

/// The words that differ from a short one by a letter, as a question. There may be several, of which none is meant
/// rather than another.
std::string short_words_like(const std::string& name, const std::vector<std::string>& known) {
  std::string meant;
  if (name.size() > 3) return meant;
  for (const std::string& word : known) {
    if (word.size() > 1 && edit_distance(name, word) == 1) meant += (meant.empty() ? "" : " or ") + ('"' + word + '"');
  }
  return meant.empty() ? meant : ", or did you mean " + meant + "?";
}

}  // namespace

std::string like_name(const std::string& name, const std::vector<std::string>& known) {
  constexpr std::size_t longest = 60;  // no name of a format comes near
  if (name.size() > longest) return {};
  const std::string said = plain(name);
  std::string nearest;
  std::size_t fewest = longest;
  for (const std::string& word : known) {
    const std::string meant = plain(word);
    const auto count = static_cast<std::size_t>(edit_distance(said, meant));
    const bool alike = count <= most_differences(std::max(said.size(), meant.size())) || is_beginning(said, meant) ||
                       is_beginning(meant, said);
    if (!alike || count >= fewest) continue;
    fewest = count;
    nearest = word;
  }
  return nearest;
}

Vocabulary::Vocabulary(std::string format, Strictness strictness, const std::vector<Entry>& entries)
    : format_(std::move(format)), strictness_(strictness) {
  for (const Entry& entry : entries) {
    // Several elements with the same contents stand in one entry.
    for (const std::string& element : split(entry.element)) {
      Words& words = elements_[element];
      words.attributes = split(entry.attributes);
      words.children = split(entry.children);
      words.holds_anything = contains(words.children, "*");
      words.is_foreign = contains(words.children, "**");
      const std::size_t slash = element.find('/');
      names_.insert(slash == std::string::npos ? element : element.substr(slash + 1));
    }
  }
}

const Vocabulary::Words* Vocabulary::find(const std::string& parent, const std::string& name) const {
  auto found = elements_.find(parent + "/" + name);
  if (found == elements_.end()) found = elements_.find(name);
  return found == elements_.end() ? nullptr : &found->second;
}

void Vocabulary::check_attributes(const Words& words, XmlNode& node, XmlFaults& faults) const {
  for (XmlNode::Attribute& attribute : node.attributes) {
    if (contains(words.attributes, attribute.name) || is_of_others(attribute.name)) continue;
    const std::string lack = "<" + node.name + "> has no attribute \"" + attribute.name + "\" in " + format_;
    const std::string meant = like_name(attribute.name, words.attributes);
    if (!meant.empty()) {
      faults.add(node, lack + "; did you mean \"" + meant + "\"?");
    } else if (strictness_ == Strictness::closed) {
      faults.add(node, lack + ", and it could change the motion; remove it" +
                           short_words_like(attribute.name, words.attributes));
    } else {
      attribute.remark = format_ + " has none";
    }
  }
}

void Vocabulary::check_child(const Words& words, const XmlNode& node, XmlNode& child, XmlFaults& faults) const {
  const std::string lack = "<" + node.name + "> has no <" + child.name + "> in " + format_;
  const std::string meant = like_name(child.name, words.children);
  const std::string question = meant.empty() ? "" : "; did you mean <" + meant + ">?";
  const bool closed = strictness_ == Strictness::closed;
  if (!meant.empty() && (closed || names_.contains(meant))) {
    faults.add(child, lack + question);
  } else if (names_.contains(child.name)) {
    faults.add(child, lack + ", which has it elsewhere; put it where it belongs, or remove it");
  } else if (closed) {
    faults.add(child, lack + ", and it could change the motion; remove it");
  } else {
    child.remark = format_ + " has none" + question;
  }
}

void Vocabulary::check(const std::string& parent, XmlNode& node, XmlFaults& faults) const {
  const Words* words = find(parent, node.name);
  if (!words) return;
  check_attributes(*words, node, faults);
  for (XmlNode& child : node.children) {
    if (words->is_foreign) continue;
    const bool fits = words->holds_anything || contains(words->children, child.name) || is_of_others(child.name);
    if (fits) {
      check(node.name, child, faults);
    } else {
      check_child(*words, node, child, faults);
    }
  }
}

void Vocabulary::check(XmlNode& root, XmlFaults& faults) const { check("", root, faults); }

}  // namespace carom
