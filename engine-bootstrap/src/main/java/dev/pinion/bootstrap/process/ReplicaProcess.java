package dev.pinion.bootstrap.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A running child process with a pipe to its standard input and one from its standard output.
 *
 * <p>Its standard error is the parent's own. The pipe to its input stays open for as long as the
 * parent lives, however the parent ends, which is how the child notices.
 */
public final class ReplicaProcess {
  private final Process process;
  private final Writer input;

  private ReplicaProcess(Process process) {
    this.process = process;
    this.input = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
  }

  /**
   * Starts a process and says its first line to it.
   *
   * @throws IOException when it could not be started
   */
  public static ReplicaProcess start(
      List<String> command, String firstLine, ReplicaStarter.Listener listener) throws IOException {
    Process process = new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
    ReplicaProcess replica = new ReplicaProcess(process);
    Thread pump = new Thread(() -> replica.pump(listener), "replica-" + process.pid());
    pump.setDaemon(true);
    pump.start();
    replica.say(firstLine);
    return replica;
  }

  private void pump(ReplicaStarter.Listener listener) {
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      String line = output.readLine();
      while (line != null) {
        listener.onLine(line);
        line = output.readLine();
      }
    } catch (IOException e) {
      // The pipe breaks when the process is killed; its end is reported below.
    }
    listener.onExit(process.onExit().join().exitValue());
  }

  /** Writes a line to the process; a process that is gone hears nothing, which is no error. */
  public void say(String line) {
    try {
      input.write(line + "\n");
      input.flush();
    } catch (IOException e) {
      // Its end is reported to the listener.
    }
  }

  /** Ends the process at once (SIGKILL). */
  public void kill() {
    process.destroyForcibly();
  }

  /** Its process id. */
  public long pid() {
    return process.pid();
  }
}
