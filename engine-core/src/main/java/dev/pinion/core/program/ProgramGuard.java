package dev.pinion.core.program;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A small process that lives as long as the engine and a moment longer: when its standard input
 * ends, because the engine has ended or was killed, it kills the sessions and the containers of the
 * programs that still run. Started with the first program. For any thread.
 *
 * <pre>
 *   engine ──"+" begun, "-" ended──▶ guard ──(end of input)──▶ kills what has not ended
 * </pre>
 */
final class ProgramGuard implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProgramGuard.class);

  /**
   * Reads lines with a sign and an entry: a process, and a container engine, its command and the
   * file with the id of the container, if there is one.
   */
  private static final String SCRIPT =
      """
      trap '' HUP INT QUIT TERM
      n='
      '
      all=$n
      while IFS= read -r line; do
        entry=${line#?}
        case $line in
          +*) all=$all$entry$n ;;
          *)
            case $all in
              *"$n$entry$n"*) all=${all%%"$n$entry$n"*}$n${all#*"$n$entry$n"} ;;
            esac ;;
        esac
      done
      printf '%s' "$all" | while IFS='\t' read -r pid engine command file; do
        case $pid in '' | *[!0-9]*) continue ;; esac
        kill -s KILL -- "-$pid"
        pkill -KILL -s "$pid"
        id=
        if [ -f "$file" ]; then read -r id < "$file"; fi
        if [ -n "$id" ]; then "$engine" $command "$id" < /dev/null; fi
      done
      """;

  private final ProgramSearch search;
  private final Map<String, String> environment;
  private final Set<String> entries = new LinkedHashSet<>();
  private @Nullable Process process;
  private boolean closed;

  /**
   * A guard that has not started.
   *
   * @param environment its environment variables, by which a container engine is found
   */
  ProgramGuard(ProgramSearch search, Map<String, String> environment) {
    this.search = search;
    this.environment = Map.copyOf(environment);
  }

  /**
   * Guards a program from now on.
   *
   * @param container the container that it starts; null for none
   * @return what {@link #ended} takes
   */
  synchronized String began(long pid, @Nullable StartedContainer container) {
    String entry = pid + (container == null ? "" : "\t" + container.guarded());
    entries.add(entry);
    Process running = process;
    if (running != null && running.isAlive()) {
      tell(running, List.of("+" + entry));
    } else if (!closed) {
      start();
    }
    return entry;
  }

  /** Guards a program no longer: it has ended, and nothing is left of its session. */
  synchronized void ended(String entry) {
    entries.remove(entry);
    Process running = process;
    if (running != null && running.isAlive() && !closed) {
      tell(running, List.of("-" + entry));
    }
  }

  /** Starts the process, with all that runs by now. */
  private void start() {
    List<String> words = new ArrayList<>();
    Path session = search.find(List.of("setsid"));
    if (session != null) {
      words.add(session.toString());
    }
    Path shell = search.find(List.of("sh"));
    words.addAll(List.of(shell == null ? "sh" : shell.toString(), "-c", SCRIPT, "sh"));
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().clear();
    builder.environment().putAll(environment);
    try {
      Process begun = builder.start();
      process = begun;
      tell(begun, entries.stream().map(each -> "+" + each).toList());
    } catch (IOException e) {
      LOG.warn("programs would outlive a killed engine: no guard of them: {}", e.getMessage());
    }
  }

  private void tell(Process running, List<String> lines) {
    try {
      OutputStream input = running.getOutputStream();
      for (String line : lines) {
        input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
      }
      input.flush();
    } catch (IOException e) { // it was killed: the next program starts another one
      LOG.debug("the guard of programs has ended", e);
    }
  }

  /** Has it kill what has not ended, and end. */
  @Override
  public synchronized void close() {
    closed = true;
    Process running = process;
    if (running != null) {
      try {
        running.getOutputStream().close();
      } catch (IOException e) {
        LOG.debug("the guard of programs has ended", e);
      }
    }
  }
}
