package dev.pinion.bootstrap.cli;

import dev.pinion.bootstrap.config.ConfigException;
import dev.pinion.bootstrap.config.ConfigLoader;
import dev.pinion.bootstrap.config.Key;
import dev.pinion.bootstrap.logging.LostLines;
import dev.pinion.bootstrap.process.StandardStreams;
import java.util.EnumMap;
import java.util.Map;

/**
 * The parent process of {@code serve --json} with fake replicas: its arguments are folder, timeout,
 * traits, replicas.
 */
public final class ServeFake {
  private ServeFake() {}

  /** Serves until stopped. */
  public static void main(String[] args) throws ConfigException, InterruptedException {
    Map<Key, String> options = new EnumMap<>(Key.class);
    options.put(Key.DATA, args[0]);
    options.put(Key.PORT, "0");
    options.put(Key.ADMIN_PORT, "0");
    options.put(Key.HEAP, "256m");
    options.put(Key.SHUTDOWN_TIMEOUT, args[1]);
    options.put(Key.REPLICAS, args[3]);
    options.put(Key.DISPATCH, "reuseport");
    options.put(
        Key.JVM_OPTIONS,
        "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UseG1GC -Dtraits=" + args[2]);
    int status;
    try (StandardStreams streams = StandardStreams.neverBlocking(LostLines::line)) {
      status = serve(options, streams);
    }
    System.exit(status);
  }

  private static int serve(Map<Key, String> options, StandardStreams streams)
      throws ConfigException, InterruptedException {
    try {
      return new ServeProgram(
              ConfigLoader.load(options, Map.of(), null),
              "dev.pinion.bootstrap.replica.FakeReplica",
              false,
              true,
              streams)
          .run();
    } catch (CommandFailure e) {
      System.err.println(e.getMessage());
      return e.status();
    }
  }
}
