package dev.pinion.bootstrap.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A running child process with a pipe to its standard input and one from each of its outputs.
 *
 * <p>Its standard error is copied to the parent's own. The pipe to its input stays open for as long
 * as the parent lives, however the parent ends, which is how the child notices.
 */
public final class PipedProcess implements ReplicaStarter.Child {
  /** Longest time for the rest of a log to arrive after the end of its process. */
  private static final Duration LOG_PATIENCE = Duration.ofSeconds(1);

  private final Process process;
  private final LogForwarder log;
  private final Writer input;

  private PipedProcess(Process process) {
    this.process = process;
    this.log = new LogForwarder(process.getErrorStream(), System.err);
    this.input = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
  }

  /**
   * Starts a process and sends its settings to it, which an empty line ends.
   *
   * @throws IOException when it could not be started
   */
  public static PipedProcess start(
      List<String> command, String settings, ReplicaStarter.ProcessListener processListener)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command);
    setEnglishMessages(builder.environment());
    Process process = builder.start();
    PipedProcess replica = new PipedProcess(process);
    Thread logging = daemon("log-" + process.pid(), replica.log::run);
    daemon("replica-" + process.pid(), () -> replica.pump(processListener, logging));
    replica.send(settings);
    return replica;
  }

  /**
   * Makes the operating system report failures in English: a full disk is detected by that text
   * only. The encoding stays.
   */
  static void setEnglishMessages(Map<String, String> environment) {
    String all = environment.remove("LC_ALL"); // precedes LC_MESSAGES and LC_CTYPE
    if (all != null && !all.isEmpty()) {
      environment.put("LC_CTYPE", all);
    }
    environment.put("LC_MESSAGES", "C");
  }

  private static Thread daemon(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void pump(ReplicaStarter.ProcessListener processListener, Thread logging) {
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      String line = output.readLine();
      while (line != null) {
        processListener.onLine(line);
        line = output.readLine();
      }
    } catch (IOException e) {
      // The pipe breaks when the process is killed; its end is reported below.
    }
    int status = process.onExit().join().exitValue();
    try {
      logging.join(LOG_PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    processListener.onExit(status);
  }

  @Override
  public void send(String line) {
    try {
      input.write(line + "\n");
      input.flush();
    } catch (IOException e) {
      // Its end is reported to the listener.
    }
  }

  @Override
  public void kill() {
    process.destroyForcibly();
  }

  @Override
  public long pid() {
    return process.pid();
  }

  @Override
  public List<String> lastLines() {
    return log.lastLines();
  }
}
