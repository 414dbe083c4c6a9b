package dev.pinion.bootstrap.process;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/** Starts replicas. The seam at which tests put something else than a JVM. */
@FunctionalInterface
public interface ReplicaStarter {
  /**
   * Starts a replica.
   *
   * @param settings what it is told
   * @param listener told what the replica says and how it ends, on threads of the process
   * @throws IOException when no process could be started
   */
  Child start(ReplicaSettings settings, Listener listener) throws IOException;

  /** A process that was started. Any thread. */
  interface Child {
    /** Writes a line to the process; a process that is gone hears nothing, which is no error. */
    void say(String line);

    /** Ends the process at once (SIGKILL). */
    void kill();

    /** Its process id. */
    long pid();

    /** The last lines of its log, the oldest first; complete once its end was told. */
    List<String> lastLines();
  }

  /** Hears of one process. */
  interface Listener {
    /** A line of its standard output. */
    void onLine(String line);

    /** Its end; nothing follows. */
    void onExit(int status);

    /** A listener made of two functions. */
    static Listener of(Consumer<String> line, Consumer<Integer> exit) {
      return new Listener() {
        @Override
        public void onLine(String text) {
          line.accept(text);
        }

        @Override
        public void onExit(int status) {
          exit.accept(status);
        }
      };
    }
  }
}
