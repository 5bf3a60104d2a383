# The tests count allocations: the linker redirects malloc, realloc and operator new (_Znwm) of this program's own objects.
if(TARGET test_complementarity)
  target_link_options(test_complementarity PRIVATE -Wl,--wrap=malloc -Wl,--wrap=realloc -Wl,--wrap=_Znwm)
endif()
