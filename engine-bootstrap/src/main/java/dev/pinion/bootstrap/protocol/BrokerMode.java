package dev.pinion.bootstrap.protocol;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Whether a broker runs beside the replicas. */
public enum BrokerMode {
  /** When the data folder has services or contracts. */
  AUTO,
  /** Always. */
  ON,
  /** Never. */
  OFF;

  /** Name in settings. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** All names. */
  public static List<String> labels() {
    return Arrays.stream(values()).map(BrokerMode::label).toList();
  }

  /**
   * The choice of a name.
   *
   * @throws IllegalArgumentException when the name is unknown
   */
  public static BrokerMode of(String label) {
    return Arrays.stream(values())
        .filter(each -> each.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "expected one of " + labels() + ", found \"" + label + "\""));
  }

  /** Whether a broker runs over a data folder. */
  public boolean runs(Path dataDirectory) {
    Path folder = dataDirectory.resolve("broker");
    return switch (this) {
      case ON -> true;
      case OFF -> false;
      case AUTO ->
          Files.exists(folder.resolve("registry.json"))
              || Files.exists(folder.resolve("contracts.json"));
    };
  }
}
