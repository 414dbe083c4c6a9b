package dev.pinion.handlers.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.remote.protocol.HandlerOperation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Owners of effects, also when a connection is lost and the result of a statement is unknown. */
class JdbcEffectTableTest {
  private static final UUID HERE = new UUID(1, 1);
  private static final UUID ELSEWHERE = new UUID(2, 2);

  @TempDir private Path folder;

  private final RemoteHarness.TestClock clock = new RemoteHarness.TestClock();
  private JdbcEffectTable table;
  private JdbcEffectTable other;

  /** Prefix of the statements of which the next one is not answered. */
  private @Nullable String losing;

  /** Whether that statement is committed nevertheless. */
  private boolean committing = true;

  private String url() {
    return "jdbc:sqlite:" + folder.resolve("effects.db");
  }

  @BeforeEach
  void open() throws Exception {
    table = new JdbcEffectTable(url(), clock, () -> losing(DriverManager.getConnection(url())));
    other = new JdbcEffectTable(url(), clock);
  }

  @AfterEach
  void close() throws Exception {
    table.close();
    other.close();
  }

  private static EffectKey key(long attempt) {
    return new EffectKey(
        new UUID(3, 3), attempt, new MessageId(1, attempt), "chain/step", HandlerOperation.HANDLE);
  }

  private EffectClaim begin(long attempt, UUID... lost) throws SQLException {
    return table.begin(key(attempt), HERE, List.of(lost));
  }

  private void loseAfter(String statement, long attempt, UUID... lost) {
    losing = statement;
    committing = true;
    assertThrows(SQLException.class, () -> begin(attempt, lost));
    assertNull(losing, "the statement was to be reached");
  }

  @Test
  void shouldBeginWhatItHadNotedBeforeTheConnectionWasLost() throws Exception {
    loseAfter("INSERT INTO pinion_effect ", 1);
    assertEquals(HERE, table.owner(key(1)), "it was committed");

    assertEquals(EffectClaim.FRESH, begin(1));
    assertTrue(table.end(key(1), HERE, new byte[] {5}));
    assertEquals(EffectClaim.ClaimState.ANSWERED, begin(1).state());
  }

  @Test
  void shouldBeginOnlyOnceWhatItHadNotedBefore() throws Exception {
    loseAfter("INSERT INTO pinion_effect ", 1);
    begin(1);

    assertEquals(EffectClaim.TAKEN_OVER, begin(1), "it may have had its effect");
    assertEquals(EffectClaim.ELSEWHERE, other.begin(key(1), ELSEWHERE, List.of()));
  }

  @Test
  void shouldLeaveToOthersWhatTheyTookMeanwhile() throws Exception {
    loseAfter("INSERT INTO pinion_effect ", 1);
    assertEquals(EffectClaim.TAKEN_OVER, other.begin(key(1), ELSEWHERE, List.of(HERE)));

    assertEquals(EffectClaim.ELSEWHERE, begin(1));
  }

  @Test
  void shouldTakeOverOnceMoreWhatItHadTakenOver() throws Exception {
    other.begin(key(1), ELSEWHERE, List.of());
    loseAfter("UPDATE pinion_effect SET host", 1, ELSEWHERE);
    assertEquals(HERE, table.owner(key(1)), "it was committed");

    assertEquals(EffectClaim.TAKEN_OVER, begin(1, ELSEWHERE));
  }

  @Test
  void shouldNotTakeForItsOwnBeginningWhatItTookOverLater() throws Exception {
    losing = "INSERT INTO pinion_effect ";
    committing = false;
    assertThrows(SQLException.class, () -> begin(1));
    other.begin(key(1), ELSEWHERE, List.of());
    loseAfter("UPDATE pinion_effect SET host", 1, ELSEWHERE);

    assertEquals(EffectClaim.TAKEN_OVER, begin(1, ELSEWHERE), "another host had begun it");
  }

  @Test
  void shouldBeginWhatWasNotCommitted() throws Exception {
    losing = "INSERT INTO pinion_effect ";
    committing = false;
    assertThrows(SQLException.class, () -> begin(1));
    assertNull(table.owner(key(1)));

    assertEquals(EffectClaim.FRESH, begin(1));
  }

  @Test
  void shouldBeInDoubtAboutWhatItCannotRemember() throws Exception {
    loseAfter("INSERT INTO pinion_effect ", 0);
    for (int i = 1; i <= JdbcEffectTable.MOST_UNSURE - 1; i++) {
      loseAfter("INSERT INTO pinion_effect ", i);
    }
    assertEquals(EffectClaim.FRESH, begin(0), "at the bound");

    loseAfter("INSERT INTO pinion_effect ", 2_000);
    loseAfter("INSERT INTO pinion_effect ", 2_001);
    assertEquals(EffectClaim.TAKEN_OVER, begin(1), "beyond it");
    assertEquals(EffectClaim.FRESH, begin(2));
  }

  @Test
  void shouldForgetByAnIndexWhatIsOld() throws Exception {
    try (Connection connection = DriverManager.getConnection(url());
        PreparedStatement explain =
            connection.prepareStatement("EXPLAIN QUERY PLAN " + JdbcEffectTable.FORGET);
        ResultSet row = explain.executeQuery()) {
      row.next();
      String plan = row.getString("detail");
      assertTrue(plan.contains("pinion_effect_at"), plan);
    }
  }

  @Test
  void shouldForgetWhatIsOlderThanAnybodyAsksFor() throws Exception {
    begin(1);
    begin(2);
    table.end(key(1), HERE, new byte[] {5});
    clock.advance(JdbcEffectTable.KEEP.toNanos());
    table.forget();
    assertEquals(EffectClaim.ClaimState.ANSWERED, begin(1).state(), "at the edge");

    clock.advance(Duration.ofMillis(1).toNanos());
    table.forget();
    assertEquals(EffectClaim.FRESH, begin(1));
    assertEquals(HERE, table.owner(key(2)), "it has not ended");

    clock.advance(JdbcEffectTable.KEEP_OPEN.toNanos());
    table.forget();
    assertNull(table.owner(key(2)));
  }

  /** A connection that loses a statement, or the answer to it, as {@link #losing} says. */
  private Connection losing(Connection connection) {
    return proxy(
        Connection.class,
        (method, arguments) -> {
          Object result = method.invoke(connection, arguments);
          return result instanceof PreparedStatement statement
              ? losing(statement, String.valueOf(arguments[0]))
              : result;
        });
  }

  private PreparedStatement losing(PreparedStatement statement, String text) {
    return proxy(
        PreparedStatement.class,
        (method, arguments) -> {
          String begins = losing;
          if (begins == null || !method.getName().equals("execute") || !text.startsWith(begins)) {
            return method.invoke(statement, arguments);
          }
          losing = null;
          if (committing) {
            method.invoke(statement, arguments);
          }
          throw new SQLException("the connection was lost");
        });
  }

  private static <T> T proxy(Class<T> type, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              try {
                return call.with(method, arguments);
              } catch (InvocationTargetException e) {
                throw e.getTargetException();
              }
            }));
  }

  private interface Call {
    Object with(Method method, Object[] arguments) throws Throwable;
  }
}
