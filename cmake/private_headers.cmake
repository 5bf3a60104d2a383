# Headers that serve their own room alone: no other room reads them, no public header includes them, and they are not
# installed. scripts/check_house.py holds the sources to these lists.
set(CAROM_PRIVATE_complementarity linear/dense_kernels.h mixed/fischer_burmeister.h)
set(CAROM_PRIVATE_problem_files linear_cases.h mlcp_file.h numerics_matrix.h problem_words.h)
set(CAROM_PRIVATE_geometry box_pairs.h box_separation.h bullet_normal.h convex_distance.h convex_pairs.h
  closed_surface.h cut_polygons.h face_contact.h feature.h half_space_pairs.h height_field_pairs.h part_hull.h qhull.h round_pairs.h sign.h surface_point.h vertex_tree.h
  way_out.h)
set(CAROM_PRIVATE_model collision_filter.h model_faults.h tree_order.h)
set(CAROM_PRIVATE_dynamics column_solve.h divide_and_conquer/run_elimination.h joint_elimination.h node_motion.h
  twists_joint.h)
set(CAROM_PRIVATE_impact propagative/minimal_sequences.h slip_path.h)
set(CAROM_PRIVATE_contact closest_points.h)
set(CAROM_PRIVATE_certificate layer_condition.h servo_pull.h)
set(CAROM_PRIVATE_stepper carried_speed.h compliant/compliant_contacts.h compliant/compliant_data.h
  compliant/compliant_stepper.h compliant/contact_springs.h constraint_projection.h contact_step.h event_driven/accumulation.h
  event_driven/cone_room.h event_driven/constrained_motion.h event_driven/event_driven_stepper.h
  event_driven/rest_problem.h free_motion.h free_spin.h hybrid_dca/handle_problem.h hybrid_dca/joined_problem.h
  hybrid_dca/joint_impulses.h kinetic_scaling.h mean_velocity.h overlap_projection.h quasi_rigid/carried_motion.h
  quasi_rigid/contact_element.h quasi_rigid/contact_patches.h quasi_rigid/element_finder.h
  quasi_rigid/quasi_rigid_data.h quasi_rigid/quasi_rigid_problem.h quasi_rigid/quasi_rigid_stepper.h
  quasi_rigid/step_rows.h round_off_motion.h semi_explicit_stepper.h standing_rows.h time_stepper.h)
set(CAROM_PRIVATE_import file_sensors.h gazebo_sensor.h merge_links.h mjcf/element.h mjcf/reader.h mjcf/references.h mjcf/settings.h relaxed_inertia.h
  sdf_couplers.h sdf_filters.h sdf_frames.h sdf_inertia.h sdf_joints.h sdf_sensors.h sdf_shapes.h sdf_source.h sdf_state.h sdf_visuals.h
  start_within_limits.h urdf_elements.h urdf_gazebo.h urdf_mimic.h urdf_filters.h urdf_sensors.h urdf_shapes.h urdf_ties.h urdf_tree.h
  urdf_visuals.h visual_shape.h vocabularies.h vocabulary.h xml_node.h)
set(CAROM_PRIVATE_scene assemble.h bodies.h collision_groups.h constraints.h drives.h fingerprint.h
  foreign_words.h height_field.h include.h joint_coordinates.h joint_patterns.h joint_sums.h joint_twists.h joints.h law_settings.h
  layers.h materials.h mocap.h model_joints.h model_starts.h models.h motion_table.h parameters.h planes.h restitutions.h run_settings.h
  self_collision.h sensors.h shapes.h smooth_shapes.h surface_formula.h surface_pairs.h surfaces.h time_functions.h)
set(CAROM_PRIVATE_record certificate_fields.h collider_loads.h exact_problem.h fclib_matrix.h fewer_triangles.h file_lock.h
  frame_numbers.h hdf5_driver.h interval_outputs.h joint_loads.h page.h part_names.h player_data.h player_impacts.h
  record_file.h record_layout.h report_data.h report_page.h row_buffer.h sensor_readings.h stored_appearance.h stored_choices.h
  stored_json.h stored_model.h stored_parts.h stored_run.h stored_shapes.h stored_value.h stored_words.h twin_files.h
  visuals.h world_motion.h)
set(CAROM_PRIVATE_study design_trial.h fit_data_hdf5.h fit_ranking.h fit_statistics.h fit_tables.h fit_trial.h impact_drawing.h
  least_change.h least_misfit.h method_fit.h no_number.h profile.h quantile.h study_fields.h sweep_draws.h thread_count.h)
