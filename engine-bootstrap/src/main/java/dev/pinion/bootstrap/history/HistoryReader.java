package dev.pinion.bootstrap.history;

import dev.pinion.bootstrap.history.publish.SubscriptionStore;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.InstanceView;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.History;
import dev.pinion.core.spi.Subscriptions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Answers queries from the database, with a connection for each concurrent thread; opens none
 * before the first query.
 */
public final class HistoryReader implements History, AutoCloseable {
  /** Rows that a driver fetches at once: it buffers all of them, whatever their length. */
  private static final int FETCHED_ROWS = 8;

  private final HistoryDatabase database;
  private final Subscriptions subscriptions;
  private final @Nullable JournalEndPositions journals;
  private final PayloadCodec codec;
  private final int patienceSeconds;
  private final int maxPageChars;
  private final ConcurrentLinkedDeque<OpenConnection> idle = new ConcurrentLinkedDeque<>();

  /** A connection to a file. */
  private record OpenConnection(Connection connection, @Nullable Object file) {}

  /** Reads a database of an engine that publishes nothing. */
  public HistoryReader(HistoryDatabase database, EngineLimits limits) {
    this(database, limits, null, null);
  }

  /**
   * Reads a database.
   *
   * @param folder the subscriptions of the engine; null when it publishes nothing
   * @param journals journals for comparison; null for the last known state of them
   */
  public HistoryReader(
      HistoryDatabase database,
      EngineLimits limits,
      @Nullable SubscriptionStore folder,
      @Nullable JournalEndPositions journals) {
    this.journals = journals;
    this.subscriptions =
        folder == null ? Subscriptions.NONE : new StoredSubscriptions(folder, this);
    this.database = database;
    this.codec = new PayloadCodec(limits.json());
    this.maxPageChars = limits.history().maxPageChars();
    this.patienceSeconds =
        (int) Math.max(1, TimeUnit.MILLISECONDS.toSeconds(limits.history().questionMillis()));
  }

  /**
   * Progress of the history.
   *
   * @param complete whether all journals could be read
   */
  private record Freshness(long lagRecords, long asOfEpochMillis, boolean complete) {}

  private interface HistoryQuery<T extends @Nullable Object> {
    T ask(Connection connection) throws SQLException;
  }

  private <T extends @Nullable Object> T query(HistoryQuery<T> historyQuery)
      throws HistoryUnavailableException {
    try {
      return run(historyQuery, open());
    } catch (SQLException e) {
      if (EmbeddedDatabaseFile.isDamage(e)) {
        return askAnew(historyQuery);
      }
      throw new HistoryUnavailableException("the database of the history cannot be read now", e);
    }
  }

  /** Damage that a fresh connection meets as well is damage of the file. */
  private <T extends @Nullable Object> T askAnew(HistoryQuery<T> historyQuery)
      throws HistoryUnavailableException {
    Object file = database.identity();
    try {
      return run(historyQuery, new OpenConnection(database.reader(), file));
    } catch (SQLException e) {
      database.tellDamage(e, file);
      throw new HistoryUnavailableException(
          EmbeddedDatabaseFile.isDamage(e)
              ? "the database of the history is damaged; it is made again from the journals"
              : "the database of the history cannot be read now",
          e);
    }
  }

  private <T extends @Nullable Object> T run(
      HistoryQuery<T> historyQuery, OpenConnection openConnection) throws SQLException {
    Connection connection = openConnection.connection();
    try {
      T answer = historyQuery.ask(connection);
      if (!connection.getAutoCommit()) {
        connection.rollback(); // the next query must see later writes
      }
      idle.push(openConnection);
      return answer;
    } catch (SQLException | RuntimeException | Error e) {
      close(connection); // it may be amid a result
      throw e;
    }
  }

  /** A connection to the present file: the history may have set the previous one aside. */
  private OpenConnection open() throws SQLException {
    Object file = database.identity();
    for (OpenConnection openConnection = idle.poll();
        openConnection != null;
        openConnection = idle.poll()) {
      if (Objects.equals(openConnection.file(), file)) {
        return openConnection;
      }
      close(openConnection.connection());
    }
    return new OpenConnection(database.reader(), file);
  }

  private static void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      // it failed before, which was reported
    }
  }

  @Override
  public Subscriptions subscriptions() {
    return subscriptions;
  }

  /** State of a subscription, or null when nothing is known of it yet. */
  @Nullable Payload status(String subscription) throws HistoryUnavailableException {
    return this.<@Nullable Payload>query(
        connection -> {
          try (PreparedStatement query = connection.prepareStatement(Outbox.STATUS)) {
            query.setQueryTimeout(patienceSeconds);
            query.setString(1, subscription);
            ResultSet row = query.executeQuery();
            return row.next() ? status(row, state(connection)) : null;
          }
        });
  }

  /** Events of records that are not in the history yet wait as well, in unknown number. */
  private static Payload status(ResultSet row, Freshness history) throws SQLException {
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("delivered", Payload.of(row.getLong(1)));
    members.put("skipped", Payload.of(row.getLong(2)));
    members.put("lost", Payload.of(row.getLong(3)));
    members.put("waiting", Payload.of(row.getLong(4)));
    members.put("lagRecords", Payload.of(history.lagRecords()));
    text(members, "failure", row.getString(5));
    return Payload.object(members);
  }

  @Override
  public @Nullable HistoryPage events(InstanceId id, long after, int limit)
      throws HistoryUnavailableException {
    Found<HistoryPage> found = query(connection -> events(connection, id, after, limit));
    return found.upToDate("the start");
  }

  private Found<HistoryPage> events(Connection connection, InstanceId id, long after, int limit)
      throws SQLException {
    List<Payload> items = new ArrayList<>();
    boolean cut;
    try (PreparedStatement query =
        connection.prepareStatement(
            "SELECT sequence, kind, at, since, pointer, name, activity, input, output, error,"
                + " detail, omitted_chars FROM event WHERE id = ? AND sequence > ?"
                + " ORDER BY sequence LIMIT ?")) {
      query.setQueryTimeout(patienceSeconds);
      query.setLong(1, id.value());
      query.setLong(2, after);
      query.setInt(3, limit + 1);
      query.setFetchSize(FETCHED_ROWS);
      cut = addAll(items, query.executeQuery(), this::event, 8, 9, 10, 11);
    }
    return items.isEmpty() && !exists(connection, id)
        ? missing(connection, id)
        : new Found<>(page(connection, items, limit, cut), 0, true);
  }

  /** Creates an item from a row. */
  private interface Item {
    Payload of(ResultSet row) throws SQLException;
  }

  /**
   * Adds items until there are no more rows, or their values reach the size of a page.
   *
   * @param columns columns of values
   * @return whether rows are left
   */
  private boolean addAll(List<Payload> items, ResultSet rows, Item item, int... columns)
      throws SQLException {
    long chars = 0;
    while (rows.next()) {
      if (chars >= maxPageChars) {
        return true;
      }
      for (int column : columns) {
        String value = rows.getString(column);
        chars += value == null ? 0 : value.length();
      }
      items.add(item.of(rows));
    }
    return false;
  }

  @Override
  public @Nullable InstanceView ended(InstanceId id) throws HistoryUnavailableException {
    Found<InstanceView> found = query(connection -> ended(connection, id));
    return found.upToDate("the end");
  }

  @Override
  public boolean knows(InstanceId id) throws HistoryUnavailableException {
    return query(connection -> exists(connection, id));
  }

  @Override
  public boolean lacksEnd(InstanceId id) throws HistoryUnavailableException {
    return query(
        connection ->
            isThere(connection, id, "SELECT 1 FROM instance WHERE id = ? AND ended_at IS NULL"));
  }

  @Override
  public @Nullable Payload input(InstanceId id) throws HistoryUnavailableException {
    return this.<@Nullable Payload>query(
        connection -> {
          try (PreparedStatement query =
              connection.prepareStatement("SELECT input FROM instance WHERE id = ?")) {
            query.setQueryTimeout(patienceSeconds);
            query.setLong(1, id.value());
            ResultSet row = query.executeQuery();
            String input = row.next() ? row.getString(1) : null;
            return input == null ? null : ColumnValue.read(codec, input);
          }
        });
  }

  /**
   * Result of a query about an instance.
   *
   * @param behindRecords unread records among which a missing result may be
   * @param complete whether the lag behind all journals is known
   */
  private record Found<T>(@Nullable T value, long behindRecords, boolean complete) {
    /**
     * The value, or null when it certainly does not exist.
     *
     * @param what the wanted part of the instance
     */
    @Nullable T upToDate(String what) throws HistoryUnavailableException {
      if (value == null && !complete) {
        throw new HistoryUnavailableException(
            "a journal cannot be read now, and " + what + " of the instance may be in it");
      }
      if (value == null && behindRecords > 0) {
        throw new HistoryUnavailableException(
            "the history is "
                + behindRecords
                + " records behind the journals, and "
                + what
                + " of the instance may be among them");
      }
      return value;
    }
  }

  private Found<InstanceView> ended(Connection connection, InstanceId id) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(CompletedInstanceRow.QUERY)) {
      query.setQueryTimeout(patienceSeconds);
      query.setLong(1, id.value());
      ResultSet row = query.executeQuery();
      if (row.next()) {
        return new Found<>(
            CompletedInstanceRow.view(id, row, labels(connection, id), codec), 0, true);
      }
    }
    return missing(connection, id);
  }

  private <T> Found<T> missing(Connection connection, InstanceId id) throws SQLException {
    Freshness freshness = state(connection);
    boolean isBegun =
        exists(connection, id) || freshness.asOfEpochMillis() <= id.startedAtEpochMillis();
    return new Found<>(null, isBegun ? freshness.lagRecords() : 0, freshness.complete());
  }

  private static boolean exists(Connection connection, InstanceId id) throws SQLException {
    return isThere(connection, id, "SELECT 1 FROM instance WHERE id = ?");
  }

  private static boolean isThere(Connection connection, InstanceId id, String sql)
      throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      query.setLong(1, id.value());
      return query.executeQuery().next();
    }
  }

  /**
   * A page.
   *
   * @param cut whether there are further items
   */
  private HistoryPage page(Connection connection, List<Payload> items, int limit, boolean cut)
      throws SQLException {
    boolean more = cut || items.size() > limit;
    List<Payload> shown = items.size() > limit ? items.subList(0, limit) : items;
    Freshness freshness = state(connection);
    return new HistoryPage(
        List.copyOf(shown),
        more,
        freshness.lagRecords(),
        freshness.asOfEpochMillis(),
        freshness.complete());
  }

  /** Progress of the history, compared with the present journals on disk. */
  private Freshness state(Connection connection) throws SQLException {
    JournalEndPositions.Heads found =
        journals == null ? new JournalEndPositions.Heads(Map.of(), true) : journals.read();
    Map<String, Long> heads = new HashMap<>(found.last());
    boolean known = !heads.isEmpty();
    long lag = 0;
    long asOf = Long.MAX_VALUE;
    try (Statement query = connection.createStatement();
        ResultSet row =
            query.executeQuery("SELECT id, position, durable, looked_at FROM journal")) {
      while (row.next()) {
        Long head = heads.remove(row.getString(1));
        if (head != null || !known) { // a deleted one does not count
          long durable = Math.max(row.getLong(3), head == null ? 0 : head);
          lag += Math.max(0, durable - row.getLong(2));
          asOf = Math.min(asOf, row.getLong(4));
        }
      }
    }
    for (long unread : heads.values()) {
      lag += unread;
      asOf = unread > 0 ? 0 : asOf;
    }
    return new Freshness(lag, asOf == Long.MAX_VALUE ? 0 : asOf, found.complete());
  }

  private Payload event(ResultSet row) throws SQLException {
    String kind = row.getString(2);
    long at = row.getLong(3);
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("sequence", Payload.of(row.getLong(1)));
    members.put("kind", Payload.of(kind));
    if (at > 0) {
      members.put("time", Payload.of(Instant.ofEpochMilli(at).toString()));
    }
    text(members, "task", row.getString(5));
    text(members, "name", row.getString(6));
    long activity = row.getLong(7);
    if (!row.wasNull()) {
      members.put("activity", Payload.of(activity));
    }
    boolean ended = !kind.endsWith("_STARTED") && !kind.equals("GAP");
    if (ended) {
      members.put("durationMillis", Payload.of(Math.max(0, at - row.getLong(4))));
    }
    json(members, "input", row.getString(8));
    json(members, "output", row.getString(9));
    json(members, "error", row.getString(10));
    text(members, "detail", row.getString(11));
    omitted(members, row.getLong(12));
    return Payload.object(members);
  }

  private static void omitted(Map<String, Payload> members, long chars) {
    if (chars > 0) {
      members.put("omittedChars", Payload.of(chars));
    }
  }

  private static void text(Map<String, Payload> members, String name, @Nullable String value) {
    if (value != null) {
      members.put(name, Payload.of(value));
    }
  }

  private void json(Map<String, Payload> members, String name, @Nullable String value) {
    if (value != null) {
      members.put(name, ColumnValue.read(codec, value));
    }
  }

  @Override
  public HistoryPage instances(Search search) throws HistoryUnavailableException {
    return query(
        connection -> {
          SearchSql sql = new SearchSql(search);
          List<Payload> items = new ArrayList<>();
          boolean cut;
          try (PreparedStatement query = connection.prepareStatement(sql.text())) {
            query.setQueryTimeout(patienceSeconds);
            query.setFetchSize(FETCHED_ROWS);
            sql.bind(query);
            cut = addAll(items, query.executeQuery(), row -> instance(connection, row), 9);
          }
          return page(connection, items, search.limit(), cut);
        });
  }

  private Payload instance(Connection connection, ResultSet row) throws SQLException {
    InstanceId id = new InstanceId(row.getLong(1));
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("id", Payload.of(id.toString()));
    Map<String, Payload> definition = new LinkedHashMap<>();
    definition.put("namespace", Payload.of(row.getString(2)));
    definition.put("name", Payload.of(row.getString(3)));
    definition.put("version", Payload.of(row.getString(4)));
    members.put("definition", Payload.object(definition));
    members.put("state", Payload.of(row.getString(5)));
    members.put("startedAt", Payload.of(Instant.ofEpochMilli(row.getLong(6)).toString()));
    long ended = row.getLong(7);
    if (!row.wasNull()) {
      members.put("endedAt", Payload.of(Instant.ofEpochMilli(ended).toString()));
    }
    text(members, "businessKey", row.getString(8));
    Map<String, Payload> labels = new LinkedHashMap<>();
    labels(connection, id).forEach((name, value) -> labels.put(name, Payload.of(value)));
    if (!labels.isEmpty()) {
      members.put("labels", Payload.object(labels));
    }
    json(members, "error", row.getString(9));
    omitted(members, row.getLong(10));
    return Payload.object(members);
  }

  private static Map<String, String> labels(Connection connection, InstanceId id)
      throws SQLException {
    Map<String, String> labels = new LinkedHashMap<>();
    try (PreparedStatement query =
        connection.prepareStatement("SELECT name, value FROM label WHERE id = ? ORDER BY name")) {
      query.setLong(1, id.value());
      ResultSet rows = query.executeQuery();
      while (rows.next()) {
        labels.put(rows.getString(1), rows.getString(2));
      }
    }
    return labels;
  }

  @Override
  public void close() {
    for (OpenConnection openConnection = idle.poll();
        openConnection != null;
        openConnection = idle.poll()) {
      close(openConnection.connection());
    }
  }
}
