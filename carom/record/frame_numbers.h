#pragma once

#include <vector>

#include "carom/record/record.h"
#include "carom/record/row_buffer.h"

// The numbers of a frame beside motion and loads, for whoever makes frames: the writer of records, and LiveColumns.
namespace carom {

/// The frame of a state before any step, with its energies.
Frame first_frame(const Model& model, const State& state);
/// Clears what a frame says of the steps since the frame before.
void clear_worst(Frame& frame);
/// Adds a step to what a frame says of the steps since the frame before: the worst of each.
void fold_worst(Frame& frame, const StepReport& report);
/// Appends the frame's own numbers to their tables, `buffers` being those of all tables.
void push_numbers(const Frame& frame, std::vector<RowBuffer>& buffers);

}  // namespace carom
