#include "app/commands/command_line.hpp"
#include "app/messages/say.hpp"
#include "app/messages/user_error.hpp"
#include "app/run/system_limits.hpp"
#include "fem/mesh.hpp"
#include "files/file_error.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>

namespace {

using namespace slipwave::app;

constexpr std::size_t longest_path = 200;  // in a message

/// Messages go to descriptor 2: where it is closed, the next file that is opened would get them.
void open_missing_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", O_RDWR);  // takes the lowest number
}

/// A thread that OpenBLAS has started before this asks for its memory for ever where there is none
/// (`ulimit -v`), and would be waited for at the end: so nobody waits.
void require_room_for_libraries() {
  try {
    require_address_space(0.0);
  } catch (const UserError& error) {
    print_error(error.what());
    _exit(bad_input);
  }
}

}  // namespace

int main(int argc, char** argv) {
  open_missing_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond the limit is then an error of its writer
  require_room_for_libraries();
  std::signal(SIGCHLD, SIG_DFL);  // where it is ignored, how a child ended would be forgotten
  try {
    return run_command_line(argc, argv);
  } catch (const UserError& error) {
    print_error(error.what());
    return bad_input;
  } catch (const slipwave::files::InputError& error) {
    print_error(error.what());
    return bad_input;
  } catch (const slipwave::fem::MeshError& error) {
    print_error(error.what());
    return bad_input;
  } catch (const slipwave::files::OutputError& error) {
    print_error(error.what());
    return no_room;
  } catch (const std::filesystem::filesystem_error& error) {
    print_error(fmt::format("{}: {}", error.path1().string().substr(0, longest_path),
                            error.code().message()));
    return bad_input;
  } catch (const std::bad_alloc&) {
    print_error(out_of_memory_text());
    return internal_error;
  } catch (const std::exception& error) {
    print_error(fmt::format("error: {}", error.what()));
    return std::ferror(stdout) != 0 ? no_room : internal_error;
  }
}
