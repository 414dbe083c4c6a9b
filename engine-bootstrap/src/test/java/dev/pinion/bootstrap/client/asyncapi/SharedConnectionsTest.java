package dev.pinion.bootstrap.client.asyncapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.call.MessageProtocol;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections that tasks share. */
class SharedConnectionsTest {
  private final NotedTimers timers = new NotedTimers();
  private final List<NotedConnection> opened = new ArrayList<>();
  private final SharedConnections<NotedConnection> connections =
      new SharedConnections<>(2, 1_000, timers);

  @AfterEach
  void stop() {
    connections.close();
    timers.shutdownNow();
  }

  /** A connection that knows whether it is open. */
  private static final class NotedConnection implements MessageConnection {
    boolean open = true;

    @Override
    public boolean isOpen() {
      return open;
    }

    @Override
    public void close() {
      open = false;
    }
  }

  private static ConnectionKey key(String address, String user) {
    return ConnectionKey.of(
        SampleMessages.endpoint(MessageProtocol.NATS, 4222, address),
        SampleMessages.carrier(
            SampleMessages.endpoint(MessageProtocol.NATS, 4222, address),
            null,
            SampleMessages.basic(user, "secret")));
  }

  private SharedConnections<NotedConnection>.Lease lease(String user)
      throws MessageFailure, InterruptedException {
    return connections.lease(
        key("news", user),
        () -> {
          NotedConnection made = new NotedConnection();
          opened.add(made);
          return made;
        });
  }

  @Test
  void shouldShareAConnectionOfOneServerAndUser() throws Exception {
    assertEquals(key("a", "ada"), key("b", "ada"), "channels do not count");

    assertSame(lease("ada").connection(), lease("ada").connection());
    assertNotSame(lease("ada").connection(), lease("eve").connection());
    assertEquals(2, opened.size());
  }

  @Test
  void shouldOpenABrokenConnectionAgain() throws Exception {
    lease("ada").close();
    opened.getFirst().open = false;

    NotedConnection again = lease("ada").connection();
    assertSame(opened.get(1), again);
  }

  @Test
  void shouldCloseAnUnusedConnectionAfterAWhile() throws Exception {
    try (var first = lease("ada")) {
      lease("ada").close();
      timers.elapse();
      assertTrue(first.connection().isOpen(), "somebody uses it");
    }
    assertTrue(opened.getFirst().isOpen());
    timers.elapse();
    assertFalse(opened.getFirst().isOpen());
    assertEquals(1, opened.size());
  }

  @Test
  void shouldKeepAConnectionThatIsUsedAgain() throws Exception {
    lease("ada").close();
    try (var again = lease("ada")) {
      timers.elapse();
      assertTrue(again.connection().isOpen());
    }
  }

  @Test
  void shouldEndAUseOnce() throws Exception {
    try (var first = lease("ada")) {
      var second = lease("ada");
      second.close();
      second.close();
      timers.elapse();
      assertTrue(first.connection().isOpen());
    }
  }

  @Test
  void shouldReplaceTheConnectionUnusedForLongest() throws Exception {
    lease("ada").close();
    lease("eve").close();
    lease("ada").close();

    lease("bob").close();

    assertTrue(opened.getFirst().isOpen());
    assertFalse(opened.get(1).isOpen());
    assertTrue(opened.get(2).isOpen());
  }

  @Test
  void shouldRefuseMoreThanItsBoundWhenAllAreInUse() throws Exception {
    try (var _ = lease("ada");
        var second = lease("eve")) {
      MessageFailure failure = assertThrows(MessageFailure.class, () -> lease("bob"));
      String said = String.valueOf(failure.getMessage());
      assertTrue(said.contains("messages.maxConnections"), said);
      assertTrue(second.connection().isOpen());
    }
    assertTrue(lease("bob").connection().isOpen());
  }

  @Test
  void shouldForgetAConnectionThatCannotBeOpened() throws Exception {
    for (int i = 0; i < 3; i++) {
      assertThrows(
          MessageFailure.class,
          () ->
              connections.lease(
                  key("news", "ada"),
                  () -> {
                    throw MessageFailure.communication("no server");
                  }));
    }
    assertTrue(lease("ada").connection().isOpen());
    assertTrue(lease("eve").connection().isOpen());
  }

  @Test
  void shouldCloseAllWithTheEngine() throws Exception {
    var used = lease("ada");
    lease("eve").close();

    connections.close();

    assertFalse(opened.get(0).isOpen());
    assertFalse(opened.get(1).isOpen());
    assertThrows(MessageFailure.class, () -> lease("ada"));
    used.close();
  }
}
