package dev.pinion.bootstrap.child;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.protocol.ReplicaProtocol;
import dev.pinion.bootstrap.settings.EffectiveSettings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ParentPipeTest {
  private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
  private final CountDownLatch gone = new CountDownLatch(1);

  private ParentPipe link(String lines) {
    return new ParentPipe(
        new ByteArrayInputStream(lines.getBytes(UTF_8)),
        new PrintStream(sent, true, UTF_8),
        gone::countDown);
  }

  @Test
  void shouldReadSettingsThenOrdersUntilTheParentEnds() throws Exception {
    String settings = EffectiveSettings.defaults(Path.of("data")).build().lines() + "\n";
    ParentPipe link = link(settings + "known\nunknown\n" + ReplicaProtocol.DRAIN + "\nlast\n");
    List<String> orders = new CopyOnWriteArrayList<>();

    assertNotNull(link.settings());
    link.follow(
        line -> {
          orders.add(line);
          return !line.equals("unknown");
        });

    assertTrue(gone.await(20, TimeUnit.SECONDS));
    assertEquals(List.of("known", "unknown", "last"), orders);
    assertTrue(link.drain().isGiven());
  }

  @Test
  void shouldSendWholeLines() throws IOException {
    ParentPipe link = link("");

    link.send("one");
    link.send("two");

    assertEquals("one\ntwo\n", sent.toString(UTF_8));
    assertNull(link.settings());
  }
}
