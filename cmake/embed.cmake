# slipwave_embed(app view/view.py view_script) makes the bytes of a file the value of
#     std::string_view slipwave::app::view_script();
# in a target. The file is relative to the current source folder, or absolute if it is built.
set(SLIPWAVE_EMBED_TEMPLATE ${CMAKE_CURRENT_LIST_DIR}/embed.cpp.in)
function(slipwave_embed target file symbol)
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.cpp)
  configure_file(${SLIPWAVE_EMBED_TEMPLATE} ${source} @ONLY)
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS ${file})
  target_sources(${target} PRIVATE ${source})
endfunction()
