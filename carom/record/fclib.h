#pragma once

#include <string>

#include "carom/complementarity/contact_problem.h"
#include "carom/problem_files/stored_problem.h"

namespace carom {

/// Problem files in the format of FCLib 3.1 (docs/manual/problem-files.md): HDF5 files that hold a frictional contact
/// problem. It is in local form W, q, μ or in global form M, H, f, w, μ, each with or without equations. Guesses and a
/// solution may be there. A group /carom beside it holds what the format has no place for. With this group a problem
/// that Carom wrote comes back bit for bit.
///
/// Reads a problem; a global one is reduced to local form. Throws Error with a sentence that says what is wrong where:
///
/// * The file is not HDF5, has neither group, lacks a dataset, or has sizes that disagree.
/// * There are numbers that are not finite, or negative friction.
/// * W is too far from symmetric, or M is not symmetric positive definite.
/// * A group /carom is not the same problem.
///
/// A solution or a guess that was filled only in part counts as none; notes.passed_over says so.
StoredProblem read_problem(const std::string& path);

/// Writes a problem (a product as the dense matrix that it is). An existing file is replaced once the new one is
/// complete. Guesses, a solution and texts are written if given; the impulse of a note without velocity gets u + A p.
/// Throws Error if the problem is malformed or the file can't be written.
void write_problem(const std::string& path, const ContactProblem& problem, const ProblemNotes& notes);
/// The same with the operator's skew part.
void write_problem(const std::string& path, const StoredProblem& stored);

/// Throws Error if no file can be made where write_problem would make one: to ask before a solve, not after it.
void check_problem_place(const std::string& path);

/// True if the file is one that read_problem might read: HDF5 with one of the groups. Never throws.
bool is_problem_file(const std::string& path);

/// Sentence on the parts of a problem that readers of FCLib's own format do not see; empty if they see all.
std::string unseen_by_fclib(std::span<const Block> blocks);

}  // namespace carom
