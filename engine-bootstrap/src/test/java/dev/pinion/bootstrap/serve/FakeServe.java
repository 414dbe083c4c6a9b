package dev.pinion.bootstrap.serve;

import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.logging.LostLinesNotice;
import dev.pinion.bootstrap.process.StandardStreams;
import dev.pinion.bootstrap.settings.PlacementKey;
import dev.pinion.bootstrap.settings.SettingKey;
import dev.pinion.bootstrap.settings.SettingsException;
import dev.pinion.bootstrap.settings.SettingsLoader;
import java.util.HashMap;
import java.util.Map;

/**
 * The parent process of {@code serve --json} with fake replicas: its arguments are folder, timeout,
 * traits, replicas.
 */
public final class FakeServe {
  private FakeServe() {}

  /** Serves until stopped. */
  public static void main(String[] args) throws SettingsException, InterruptedException {
    Map<SettingKey<?>, String> options = new HashMap<>();
    options.put(SettingKey.DATA, args[0]);
    options.put(SettingKey.PORT, "0");
    options.put(SettingKey.ADMIN_PORT, "0");
    options.put(PlacementKey.HEAP, "256m");
    options.put(SettingKey.SHUTDOWN_TIMEOUT, args[1]);
    options.put(PlacementKey.REPLICAS, args[3]);
    options.put(SettingKey.DISPATCH, "reuseport");
    options.put(
        SettingKey.JVM_OPTIONS,
        "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UseG1GC -Dtraits=" + args[2]);
    int status;
    try (StandardStreams streams = StandardStreams.neverBlocking(LostLinesNotice::line)) {
      status = serve(options, streams);
    }
    System.exit(status);
  }

  private static int serve(Map<SettingKey<?>, String> options, StandardStreams streams)
      throws SettingsException, InterruptedException {
    try {
      return new ServeProgram(
              SettingsLoader.load(options, Map.of(), null),
              "dev.pinion.bootstrap.replica.FakeReplica",
              false,
              true,
              streams)
          .run();
    } catch (CommandException e) {
      System.err.println(e.getMessage());
      return e.status();
    }
  }
}
