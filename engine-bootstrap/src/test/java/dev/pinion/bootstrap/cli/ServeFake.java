package dev.pinion.bootstrap.cli;

import dev.pinion.bootstrap.config.ConfigException;
import dev.pinion.bootstrap.config.ConfigLoader;
import dev.pinion.bootstrap.config.Key;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;

/**
 * The parent process of {@code serve --json} with fake replicas: arguments are folder, timeout,
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
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    int status;
    try {
      status =
          new ServeProgram(
                  ConfigLoader.load(options, Map.of(), null),
                  "dev.pinion.bootstrap.replica.FakeReplica",
                  false,
                  true,
                  out)
              .run();
    } catch (CommandFailure e) {
      System.err.println(e.getMessage());
      status = e.status();
    }
    System.exit(status);
  }
}
