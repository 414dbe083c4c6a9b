package dev.pinion.bootstrap.cli;

import dev.pinion.bootstrap.config.ConfigException;
import dev.pinion.bootstrap.config.ConfigLoader;
import dev.pinion.bootstrap.config.Key;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The parent process of {@code serve --json} with fake replicas: arguments are folder, timeout,
 * traits.
 */
public final class ServeFake {
  private ServeFake() {}

  /** Serves until stopped. */
  public static void main(String[] args) throws ConfigException, InterruptedException {
    Map<Key, String> options =
        Map.of(
            Key.DATA,
            args[0],
            Key.PORT,
            "0",
            Key.HEAP,
            "128m",
            Key.REPLICAS,
            "1",
            Key.SHUTDOWN_TIMEOUT,
            args[1],
            Key.JVM_OPTIONS,
            "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UseG1GC -Dtraits=" + args[2]);
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    int status;
    try {
      status =
          new ServeProgram(
                  ConfigLoader.load(options, Map.of(), null),
                  "dev.pinion.bootstrap.replica.FakeReplica",
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
