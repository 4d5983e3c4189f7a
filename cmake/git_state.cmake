# Writes OUTPUT, a source with the commit that SOURCE is at and whether files differ from it; run at every build.
# The file is touched only when the answer changes. Outside a checkout of Slipwave's own the commit is "unknown".
function(git answer)
  execute_process(COMMAND git --no-optional-locks -C ${SOURCE} ${ARGN} OUTPUT_VARIABLE text RESULT_VARIABLE code
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT code EQUAL 0)
    set(text "unknown")
  endif()
  set(${answer} "${text}" PARENT_SCOPE)
endfunction()

set(commit "unknown")
set(dirty "std::nullopt")
git(top rev-parse --show-toplevel)
file(REAL_PATH ${SOURCE} here)
if(top STREQUAL here)
  git(commit rev-parse HEAD)
  git(changes status --porcelain --untracked-files=no)
  set(dirty "true")
  if(changes STREQUAL "")
    set(dirty "false")
  endif()
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/git_state.cpp.in ${OUTPUT} @ONLY)
