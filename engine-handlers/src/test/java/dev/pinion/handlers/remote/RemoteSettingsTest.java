package dev.pinion.handlers.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.handlers.remote.protocol.RemoteLimits;
import dev.pinion.handlers.remote.protocol.RemoteTimeouts;
import dev.pinion.handlers.remote.transport.StoreLimits;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RemoteSettingsTest {
  private static final String PREFIX = "handlers.remote.";

  private static RemoteSettings with(String name, int value) {
    return RemoteSettings.DEFAULTS.with(Map.of(PREFIX + name, value));
  }

  @Test
  void shouldNameEveryBoundAndTime() {
    long declared =
        Stream.of(RemoteLimits.class, RemoteTimeouts.class, StoreLimits.class)
            .mapToLong(type -> type.getRecordComponents().length)
            .sum();

    assertEquals(declared, RemoteSettings.DEFAULTS.values().size());
    assertEquals(RemoteSettings.DEFAULTS, RemoteSettings.DEFAULTS.with(Map.of()));
  }

  @ParameterizedTest
  @CsvSource({
    "maxInFlight,1,1000000",
    "maxInFlightBytes,1024,2147483647",
    "maxLostHosts,1,100",
    "maxHosts,1,100000",
    "maxFrameBytes,65536,67108864", // no less than a text
    "maxTextBytes,256,1048576", // no more than a frame
    "maxChanges,1,100000",
    "hostWindow,1,65536", // no more than the remembered attempts
    "hostMemory,256,10000000", // no less than the window
    "hostMemoryBytes,1024,2147483647",
    "hostHandlers,1,10000",
    "maxStuck,0,10000",
    "storedMaxMebibytes,1,1048576",
    "storedReplicas,1,5",
    "storedSilenceMillis,100,3600000",
    "storedMaxDeliveries,1,1000"
  })
  void shouldTakeEachBoundUpToItsEdges(String name, int least, int most) {
    assertEquals(least, with(name, least).values().get(PREFIX + name));
    assertEquals(most, with(name, most).values().get(PREFIX + name));
    refused(name, least - 1);
    if (most < Integer.MAX_VALUE) {
      refused(name, most + 1);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "answerMillis,1",
    "probeMillis,1",
    "beatMillis,1",
    "silenceMillis,750",
    "lateMillis,0"
  })
  void shouldTakeEachTimeDownToItsEdge(String name, int least) {
    assertEquals(least, with(name, least).values().get(PREFIX + name));
    assertThrows(IllegalArgumentException.class, () -> with(name, least - 1));
  }

  @Test
  void shouldSayWhatWasProbablyMeant() {
    String told =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> with("hostwindow", 1)).getMessage());

    assertTrue(told.contains("handlers.remote.hostWindow"), told);
  }

  private static void refused(String name, int value) {
    String told =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> with(name, value)).getMessage());
    assertTrue(told.contains("found"), told);
  }
}
