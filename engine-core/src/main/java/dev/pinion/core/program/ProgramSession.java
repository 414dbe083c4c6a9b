package dev.pinion.core.program;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session of its own for each program (setsid(2)), so that everything it started can be killed
 * with it; it also dies with the engine (PR_SET_PDEATHSIG of prctl(2)).
 */
final class ProgramSession {
  private static final Logger LOG = LoggerFactory.getLogger(ProgramSession.class);

  /** Looks for what is left of a session: a process may start another one between two. */
  private static final int LOOKS = 3;

  private ProgramSession() {}

  /** Words before the program; those of util-linux that this machine has. */
  static List<String> words(ProgramSearch search) {
    List<String> words = new ArrayList<>();
    Path dieWithParent = search.find(List.of("setpriv"));
    if (dieWithParent != null) {
      words.addAll(List.of(dieWithParent.toString(), "--pdeathsig", "KILL"));
    }
    Path session = search.find(List.of("setsid"));
    if (session != null) {
      words.add(session.toString());
    }
    return words;
  }

  /** Kills a program with everything that it started. */
  static void kill(ProcessHandle leader) {
    List<ProcessHandle> all = leader.descendants().toList();
    leader.destroyForcibly();
    all.forEach(ProcessHandle::destroyForcibly);
    killRest(leader.pid());
  }

  /** Kills what is left of the session of a program, which may have ended itself. */
  static void killRest(long pid) {
    killGroup(pid); // at once, whatever its processes start meanwhile
    List<ProcessHandle> left = SessionProcesses.of(pid);
    for (int look = 1; look <= LOOKS && !left.isEmpty(); look++) {
      left.forEach(ProcessHandle::destroyForcibly);
      left = SessionProcesses.of(pid);
    }
  }

  private static void killGroup(long pid) {
    ProcessBuilder kill =
        new ProcessBuilder("/bin/sh", "-c", "kill -s KILL -- \"-$1\" 2>/dev/null", "sh", "" + pid)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    kill.environment().clear();
    try {
      kill.start();
    } catch (IOException e) {
      LOG.warn("could not kill what program {} left behind: {}", pid, e.getMessage());
    }
  }
}
