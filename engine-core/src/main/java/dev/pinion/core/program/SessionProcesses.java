package dev.pinion.core.program;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processes of a session, as Linux lists them (proc(5)). A session has several groups of
 * processes where a program makes its own, as shells with job control and {@code timeout} do.
 */
final class SessionProcesses {
  private static final Logger LOG = LoggerFactory.getLogger(SessionProcesses.class);
  private static final Path PROCESSES = Path.of("/proc");

  /** Values behind the name in a line of status: state, parent, group, session, the rest. */
  private static final int VALUES = 5;

  private static final int STATE = 0;
  private static final int SESSION = 3;
  private static final String ZOMBIE = "Z";

  private SessionProcesses() {}

  /** Those that still run; none on a system that does not list them. */
  static List<ProcessHandle> of(long session) {
    List<ProcessHandle> found = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(PROCESSES, "[1-9]*")) {
      for (Path each : all) {
        if (isIn(session, status(each))) {
          ProcessHandle.of(Long.parseLong(each.getFileName().toString())).ifPresent(found::add);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      LOG.debug("the processes of session {} are not known", session, e);
    }
    return found;
  }

  /** A line of status; empty when the process has ended. */
  private static String status(Path process) {
    try {
      return Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }

  /**
   * Whether a process runs in a session.
   *
   * @param status a line like {@code 7 (any (name) S 1 7 5 0 …}
   */
  static boolean isIn(long session, String status) {
    String[] values = status.substring(status.lastIndexOf(')') + 1).strip().split(" ", VALUES);
    return values.length == VALUES
        && !values[STATE].equals(ZOMBIE)
        && values[SESSION].equals(Long.toString(session));
  }
}
