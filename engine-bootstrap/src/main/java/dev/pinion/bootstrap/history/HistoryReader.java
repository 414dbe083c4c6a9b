package dev.pinion.bootstrap.history;

import dev.pinion.bootstrap.history.publish.SubscriptionStore;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.spi.History;
import dev.pinion.core.spi.HistoryUnavailableException;
import dev.pinion.core.spi.Subscriptions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** Answers queries from the database. For any thread. */
public final class HistoryReader implements History, AutoCloseable {
  /** Rows that a driver fetches at once: it buffers all of them, whatever their length. */
  private static final int FETCHED_ROWS = 8;

  private final ReaderConnections connections;
  private final Subscriptions subscriptions;
  private final @Nullable JournalEndPositions journals;
  private final PayloadCodec codec;
  private final HistoryItems items;
  private final int patienceSeconds;
  private final int maxPageChars;

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
    this.connections = new ReaderConnections(database);
    this.codec = new PayloadCodec(limits.json());
    this.items = new HistoryItems(codec);
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

  @Override
  public Subscriptions subscriptions() {
    return subscriptions;
  }

  /** State of a subscription, or null when nothing is known of it yet. */
  @Nullable Payload status(String subscription) throws HistoryUnavailableException {
    return connections.<@Nullable Payload>query(
        open ->
            select(open, Outbox.STATUS, subscription)
                .map((row, _) -> status(row, state(open)))
                .findOne()
                .orElse(null));
  }

  private Query select(Handle open, String sql, Object... values) {
    return open.select(sql, values).setQueryTimeout(patienceSeconds);
  }

  /** Events of records that are not in the history yet wait as well, in unknown number. */
  private static Payload status(ResultSet row, Freshness history) throws SQLException {
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("delivered", Payload.of(row.getLong(1)));
    members.put("skipped", Payload.of(row.getLong(2)));
    members.put("lost", Payload.of(row.getLong(3)));
    members.put("waiting", Payload.of(row.getLong(4)));
    members.put("lagRecords", Payload.of(history.lagRecords()));
    HistoryItems.text(members, "failure", row.getString(5));
    return Payload.object(members);
  }

  @Override
  public @Nullable HistoryPage events(InstanceId id, long after, int limit)
      throws HistoryUnavailableException {
    return connections.query(open -> events(open, id, after, limit)).upToDate("the start");
  }

  private Found<HistoryPage> events(Handle open, InstanceId id, long after, int limit) {
    List<Payload> found = new ArrayList<>();
    Query query =
        select(
            open,
            "SELECT sequence, kind, at, since, pointer, name, activity, input, output, error,"
                + " detail, omitted_chars FROM event WHERE id = ? AND sequence > ?"
                + " ORDER BY sequence LIMIT ?",
            id.value(),
            after,
            limit + 1);
    boolean cut = addAll(found, query, items::event, 8, 9, 10, 11);
    return found.isEmpty() && !exists(open, id)
        ? missing(open, id)
        : new Found<>(page(open, found, limit, cut), 0, true);
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
  private boolean addAll(List<Payload> found, Query query, Item item, int... columns) {
    return query
        .setFetchSize(FETCHED_ROWS)
        .scanResultSet(
            (rows, context) -> {
              try (context) {
                return addAll(found, rows.get(), item, columns);
              }
            });
  }

  private boolean addAll(List<Payload> found, ResultSet rows, Item item, int... columns)
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
      found.add(item.of(rows));
    }
    return false;
  }

  @Override
  public @Nullable InstanceView ended(InstanceId id) throws HistoryUnavailableException {
    return connections.query(open -> ended(open, id)).upToDate("the end");
  }

  @Override
  public boolean knows(InstanceId id) throws HistoryUnavailableException {
    return connections.query(open -> exists(open, id));
  }

  @Override
  public boolean lacksEnd(InstanceId id) throws HistoryUnavailableException {
    return connections.query(
        open -> isThere(open, id, "SELECT 1 FROM instance WHERE id = ? AND ended_at IS NULL"));
  }

  @Override
  public @Nullable Payload input(InstanceId id) throws HistoryUnavailableException {
    return connections.<@Nullable Payload>query(
        open ->
            select(open, "SELECT input FROM instance WHERE id = ?", id.value())
                .mapTo(String.class)
                .findOne()
                .map(input -> ColumnValue.read(codec, input))
                .orElse(null));
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

  private Found<InstanceView> ended(Handle open, InstanceId id) {
    return select(open, CompletedInstanceRow.QUERY, id.value())
        .map(
            (row, _) ->
                new Found<>(CompletedInstanceRow.view(id, row, labels(open, id), codec), 0, true))
        .findOne()
        .orElseGet(() -> missing(open, id));
  }

  private <T> Found<T> missing(Handle open, InstanceId id) {
    Freshness freshness = state(open);
    boolean isBegun = exists(open, id) || freshness.asOfEpochMillis() <= id.startedAtEpochMillis();
    return new Found<>(null, isBegun ? freshness.lagRecords() : 0, freshness.complete());
  }

  private static boolean exists(Handle open, InstanceId id) {
    return isThere(open, id, "SELECT 1 FROM instance WHERE id = ?");
  }

  private static boolean isThere(Handle open, InstanceId id, String sql) {
    return open.select(sql, id.value()).mapTo(Integer.class).findFirst().isPresent();
  }

  /**
   * A page.
   *
   * @param cut whether there are further items
   */
  private HistoryPage page(Handle open, List<Payload> found, int limit, boolean cut) {
    boolean more = cut || found.size() > limit;
    List<Payload> shown = found.size() > limit ? found.subList(0, limit) : found;
    Freshness freshness = state(open);
    return new HistoryPage(
        List.copyOf(shown),
        more,
        freshness.lagRecords(),
        freshness.asOfEpochMillis(),
        freshness.complete());
  }

  /** Progress of the history, compared with the present journals on disk. */
  private Freshness state(Handle open) {
    JournalEndPositions.Heads found =
        journals == null ? new JournalEndPositions.Heads(Map.of(), true) : journals.read();
    Map<String, Long> heads = new HashMap<>(found.last());
    boolean known = !heads.isEmpty();
    long lag = 0;
    long asOf = Long.MAX_VALUE;
    for (JournalRow each : journalRows(open)) {
      Long head = heads.remove(each.id);
      if (head != null || !known) { // a deleted one does not count
        long durable = Math.max(each.durable, head == null ? 0 : head);
        lag += Math.max(0, durable - each.position);
        asOf = Math.min(asOf, each.asOfMillis);
      }
    }
    for (long unread : heads.values()) {
      lag += unread;
      asOf = unread > 0 ? 0 : asOf;
    }
    return new Freshness(lag, asOf == Long.MAX_VALUE ? 0 : asOf, found.complete());
  }

  private record JournalRow(String id, long position, long durable, long asOfMillis) {}

  private static List<JournalRow> journalRows(Handle open) {
    return open.select("SELECT id, position, durable, looked_at FROM journal")
        .map(
            (row, _) ->
                new JournalRow(row.getString(1), row.getLong(2), row.getLong(3), row.getLong(4)))
        .list();
  }

  @Override
  public HistoryPage instances(Search search) throws HistoryUnavailableException {
    return connections.query(
        open -> {
          List<Payload> found = new ArrayList<>();
          Query query = new SearchSql(search).query(open).setQueryTimeout(patienceSeconds);
          boolean cut = addAll(found, query, row -> instance(open, row), 9);
          return page(open, found, search.page().limit(), cut);
        });
  }

  private Payload instance(Handle open, ResultSet row) throws SQLException {
    InstanceId id = new InstanceId(row.getLong(1));
    return items.instance(id, row, labels(open, id));
  }

  private static Map<String, String> labels(Handle open, InstanceId id) {
    return open.select("SELECT name, value FROM label WHERE id = ? ORDER BY name", id.value())
        .reduceResultSet(
            new LinkedHashMap<>(),
            (labels, row, _) -> {
              labels.put(row.getString(1), row.getString(2));
              return labels;
            });
  }

  @Override
  public void close() {
    connections.close();
  }
}
