package dev.pinion.core.program;

import dev.pinion.core.limits.ProgramLimits;
import dev.pinion.core.model.call.Program;
import dev.pinion.core.model.call.ProgramRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes command lines of runs. Arguments stay words of their own: no shell reads them. For any
 * thread.
 *
 * <p>A program gets a folder of its own, a session of its own, and only those variables of the
 * engine's environment that it needs: the others may be secret.
 */
final class ProgramCommands {
  /** How the names of folders begin. */
  static final String FOLDER = "pinion-program-";

  private static final String LOCALE = "C.UTF-8";

  /** Of a mebibyte. */
  private static final int KIBIBYTES = 1_024;

  /** Of a mebibyte, of 512 bytes each: the unit in which POSIX measures files. */
  private static final int BLOCKS = 2_048;

  private final ProgramLimits limits;
  private final ProgramSearch search;
  private final ContainerCommands containers;

  ProgramCommands(ProgramLimits limits, ProgramSearch search) {
    this.limits = limits;
    this.search = search;
    this.containers = new ContainerCommands(limits, search);
  }

  /** Makes the folder of a run, which has to be deleted after it. */
  static Path folder() throws IOException {
    return Files.createTempDirectory(
        FOLDER, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  /**
   * Prepares a run.
   *
   * @param folder folder of the run
   * @throws MissingProgramException when this machine lacks the program
   * @throws IOException when its script cannot be written
   */
  ProgramCommand prepare(ProgramRun run, Path folder) throws IOException, MissingProgramException {
    return switch (run.program()) {
      case Program.Shell shell ->
          command(run, folder, List.of(program("sh"), "-c", shell.command(), "sh"));
      case Program.Script script -> command(run, folder, interpreted(script, folder));
      case Program.Server server -> command(run, folder, List.of(server(server.command())));
      case Program.Container container -> containers.command(run, container, folder);
    };
  }

  private ProgramCommand command(ProgramRun run, Path folder, List<String> program)
      throws MissingProgramException {
    List<String> words = new ArrayList<>();
    words.addAll(ProgramSession.words(search));
    words.addAll(bounds());
    words.addAll(program);
    words.addAll(run.arguments());
    Map<String, String> environment = new HashMap<>();
    environment.put("PATH", search.path());
    environment.put("LANG", LOCALE);
    environment.put("HOME", folder.toString());
    environment.put("TMPDIR", folder.toString());
    environment.putAll(run.environment());
    return new ProgramCommand(words, environment, folder, null);
  }

  /** A program that sets the limits, then becomes the one that is named behind it. */
  private List<String> bounds() throws MissingProgramException {
    String set =
        limit("-d", limits.maxMemoryMebibytes(), KIBIBYTES)
            + limit("-f", limits.maxFileMebibytes(), BLOCKS);
    return set.isEmpty() ? List.of() : List.of(program("sh"), "-c", set + "exec \"$@\"", "sh");
  }

  private static String limit(String option, int mebibytes, int units) {
    return mebibytes == 0 ? "" : "ulimit " + option + ' ' + (long) mebibytes * units + " && ";
  }

  private List<String> interpreted(Program.Script script, Path folder)
      throws IOException, MissingProgramException {
    boolean python = script.kind() == Program.Kind.PYTHON;
    Path file = folder.resolve(python ? "script.py" : "script.mjs");
    Files.writeString(file, script.code(), StandardCharsets.UTF_8);
    return List.of(python ? program("python3", "python") : program("node"), file.toString());
  }

  /** A program by its absolute path, or by its name in the folders of programs. */
  private String server(String command) throws MissingProgramException {
    if (command.indexOf('/') < 0) {
      return program(command);
    }
    try {
      Path path = Path.of(command);
      if (path.isAbsolute() && Files.isExecutable(path) && !Files.isDirectory(path)) {
        return command;
      }
    } catch (InvalidPathException e) {
      // reported below
    }
    throw new MissingProgramException(
        "expected the name of a program or its absolute path, found " + command);
  }

  private String program(String... names) throws MissingProgramException {
    return require(search, List.of(names));
  }

  /** The path of the first of some programs that is there. */
  static String require(ProgramSearch search, List<String> names) throws MissingProgramException {
    Path found = search.find(names);
    if (found == null) {
      throw new MissingProgramException(
          "expected " + String.join(" or ", names) + " in " + search.path() + ", found none");
    }
    return found.toString();
  }
}
