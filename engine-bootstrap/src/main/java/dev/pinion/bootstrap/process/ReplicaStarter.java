package dev.pinion.bootstrap.process;

import dev.pinion.bootstrap.protocol.ReplicaStart;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/** Starts replicas. In tests it starts something else than a JVM. */
@FunctionalInterface
public interface ReplicaStarter {
  /**
   * Starts a replica.
   *
   * @param start what its supervisor decides
   * @param processListener receives the replica's lines and its end, on threads of the process
   * @throws IOException when no process could be started
   */
  Child start(ReplicaStart start, ProcessListener processListener) throws IOException;

  /** A started process. For any thread. */
  interface Child {
    /** Writes a line to the process; without effect if it has ended, which is no error. */
    void send(String line);

    /** Ends the process at once (SIGKILL). */
    void kill();

    /** Its process id. */
    long pid();

    /** The last lines of its log, in order of time; complete once its end was reported. */
    List<String> lastLines();
  }

  /** Receives the events of one process. */
  interface ProcessListener {
    /** Called for each line of its standard output. */
    void onLine(String line);

    /** Called at its end; nothing follows. */
    void onExit(int status);

    /** A listener of two functions. */
    static ProcessListener of(Consumer<String> line, Consumer<Integer> exit) {
      return new ProcessListener() {
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
