package dev.pinion.handlers;

import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.api.SettingProblem;
import dev.pinion.handlers.config.Attachment;
import dev.pinion.handlers.config.ChainReader;
import dev.pinion.handlers.config.ConfiguredChain;
import dev.pinion.handlers.config.InvalidChainsException;
import dev.pinion.handlers.run.Chain;
import dev.pinion.handlers.run.Gateway;
import dev.pinion.handlers.run.Outcome;
import dev.pinion.handlers.run.Workers;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All chains of a server: finds the one for a message and passes the message to it. For use by any
 * thread.
 *
 * <p>A message goes to the chain that its property {@value #CHAIN} names, to that of the document
 * in its property {@value #DOCUMENT}, or else to the one with the most specific attachment; without
 * one it continues unchanged. Only the makers of messages set these two properties; data from
 * clients never becomes one of them.
 */
public final class Chains implements Gateway, AutoCloseable {
  /** Property with the chain of a message. */
  public static final String CHAIN = "handlers.chain";

  /** Property with a document of one chain for the message. */
  public static final String DOCUMENT = "handlers.document";

  private static final Logger LOG = LoggerFactory.getLogger(Chains.class);
  private static final String BAD_CHAIN = "https://pinion.dev/problems/bad-chain";

  private final ChainReader reader;
  private final Workers workers;
  private final EngineLimits limits;
  private final OwnChains own;
  private final ReentrantLock changes = new ReentrantLock();

  // Replaced as a whole; a message under way keeps the table that it has read.
  private volatile Table table = new Table(List.of());

  /** A server without chains. */
  public Chains(ChainReader reader, Workers workers, EngineLimits limits) {
    this.reader = reader;
    this.workers = workers;
    this.limits = limits;
    this.own = new OwnChains(reader, workers, limits);
  }

  /**
   * Replaces all chains by those of a document. The next message uses these; messages under way
   * continue in their chains.
   *
   * @throws InvalidChainsException when the document is refused; the chains stay as they are
   */
  public void install(String document) throws InvalidChainsException {
    install(new TreeMap<>(Map.of("", document)), points -> List.of());
  }

  /**
   * Replaces all chains by those of some documents, unless there are objections.
   *
   * @param documents texts by name
   * @param objections finds objections to chains, given their points by name
   * @throws InvalidChainsException when a document is refused, or there are objections; the chains
   *     stay as they are
   */
  void install(
      SortedMap<String, String> documents,
      Function<Map<String, String>, List<SettingProblem>> objections)
      throws InvalidChainsException {
    List<Entry> entries = new ArrayList<>();
    for (ConfiguredChain each : reader.read(documents)) {
      Chain chain = new Chain(each.plan(), workers, limits);
      entries.add(new Entry(each.at(), each.byClients(), chain));
    }
    Table next = new Table(entries);
    List<SettingProblem> against = objections.apply(next.labels);
    if (!against.isEmpty()) {
      entries.forEach(entry -> entry.chain.close());
      throw InvalidChainsException.of(against);
    }
    replace(next);
  }

  private void replace(Table next) {
    changes.lock();
    try {
      Table before = table;
      table = next;
      before.entries.forEach(entry -> entry.chain.close());
    } finally {
      changes.unlock();
    }
  }

  /** The chains in force, by name. */
  public Map<String, Chain> inForce() {
    return new TreeMap<>(table.byName);
  }

  @Override
  public <C> void enter(Message message, C context, Exit<? super C> exit) {
    String document = message.properties().get(DOCUMENT);
    if (document != null) {
      own.enter(document, message, context, exit);
      return;
    }
    String named = message.properties().get(CHAIN);
    Table now = table;
    Chain chain = named == null ? now.closest(message) : now.byName.get(named);
    if (chain != null) {
      // A chain that was just replaced still takes the message, or reports that it is closed.
      chain.enterOr(message, context, exit, () -> enter(message, context, exit));
    } else if (named == null) {
      exit.leave(context, new Outcome.Proceed(message));
    } else {
      exit.leave(
          context,
          refusal(named, "expected the name of a chain (" + CHAIN + "), found \"" + named + "\""));
    }
  }

  /**
   * Takes a message to a chain that clients may name, regardless of its properties; any other name
   * is refused.
   */
  <C> void enterForClient(String name, Message message, C context, Exit<? super C> exit) {
    Table now = table;
    Chain chain = now.forClients.contains(name) ? now.byName.get(name) : null;
    if (chain != null) {
      chain.enterOr(message, context, exit, () -> enterForClient(name, message, context, exit));
    } else {
      String expected = "expected the name of a chain that clients may name (byClients)";
      exit.leave(context, refusal(name, expected + ", found \"" + name + "\""));
    }
  }

  /** Takes a message to the chain that its definition names, regardless of its properties. */
  <C> void enterForDefinition(String name, Message message, C context, Exit<? super C> exit) {
    Chain chain = table.byName.get(name);
    if (chain != null) {
      chain.enterOr(message, context, exit, () -> enterForDefinition(name, message, context, exit));
    } else {
      LOG.error("expected the chain \"{}\", which a definition names, found none", name);
      exit.leave(
          context,
          new Outcome.Refused(
              name,
              new WorkflowError(
                  BAD_CHAIN, 500, "Bad chain of handlers", "a chain of handlers is gone", null)));
    }
  }

  /** The point of each chain by name; empty for an unattached one. */
  Map<String, String> points() {
    return table.labels;
  }

  /** Whether some chain is attached at a point. */
  boolean isAttachedAt(Point point) {
    return table.points.contains(point);
  }

  static Outcome refusal(String chain, String detail) {
    return new Outcome.Refused(
        chain, new WorkflowError(BAD_CHAIN, 400, "Bad chain of handlers", detail, null));
  }

  /** Closes all chains: messages under way continue, further ones pass unhandled. */
  @Override
  public void close() {
    replace(new Table(List.of()));
    own.close();
  }

  private record Entry(@Nullable Attachment at, boolean byClients, Chain chain) {}

  /** The chains of one document. */
  private static final class Table {
    private final List<Entry> entries;
    private final Map<String, Chain> byName = new TreeMap<>();
    private final Set<Point> points = EnumSet.noneOf(Point.class);
    private final Set<String> forClients = new HashSet<>();
    private final Map<String, String> labels;

    Table(List<Entry> entries) {
      this.entries = List.copyOf(entries);
      Map<String, String> of = new HashMap<>();
      for (Entry entry : entries) {
        String name = entry.chain.plan().name();
        byName.put(name, entry.chain);
        of.put(name, entry.at == null ? "" : Passages.label(entry.at.point()));
        if (entry.byClients) {
          forClients.add(name);
        }
        if (entry.at != null) {
          points.add(entry.at.point());
        }
      }
      labels = Map.copyOf(of);
    }

    @Nullable Chain closest(Message message) {
      Chain closest = null;
      int best = -1;
      for (Entry entry : entries) {
        int fit = entry.at == null ? -1 : entry.at.fit(message);
        if (fit > best) {
          best = fit;
          closest = entry.chain;
        }
      }
      return closest;
    }
  }
}
