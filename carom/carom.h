#pragma once

// This header has what most programs need of Carom's core (docs/manual/from-cpp.md): a mechanism, a method, and its
// motion in time. Laws and solvers by themselves, layers, implicit shapes and the recursions of dynamics have headers
// of their own.

#include "carom/complementarity/certificate.h"
#include "carom/complementarity/contact_solver.h"
#include "carom/dynamics/motion_observer.h"
#include "carom/dynamics/place_body.h"
#include "carom/error.h"
#include "carom/geometry/shape.h"
#include "carom/impact/law_entry.h"
#include "carom/impact/law_kind.h"
#include "carom/memory_layout.h"
#include "carom/model/constraint.h"
#include "carom/model/drive.h"
#include "carom/model/joint.h"
#include "carom/model/material.h"
#include "carom/model/model.h"
#include "carom/model/part_numbers.h"
#include "carom/model/state.h"
#include "carom/stepper/assembly.h"
#include "carom/stepper/body_contacts.h"
#include "carom/stepper/catalogue.h"
#include "carom/stepper/controller.h"
#include "carom/stepper/method.h"
#include "carom/stepper/push.h"
#include "carom/stepper/simulation.h"
#include "carom/stepper/step_report.h"
#include "carom/version.h"

namespace carom {}
