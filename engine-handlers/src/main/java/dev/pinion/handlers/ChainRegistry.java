package dev.pinion.handlers;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.api.SettingProblem;
import dev.pinion.handlers.config.Attachment;
import dev.pinion.handlers.config.ChainReader;
import dev.pinion.handlers.config.ConfiguredChain;
import dev.pinion.handlers.config.InvalidChainsException;
import dev.pinion.handlers.run.Chain;
import dev.pinion.handlers.run.MessageGateway;
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
public final class ChainRegistry implements MessageGateway, AutoCloseable {
  /** Property with the chain of a message. */
  public static final String CHAIN = "handlers.chain";

  /** Property with a document of one chain for the message. */
  public static final String DOCUMENT = "handlers.document";

  private static final Logger LOG = LoggerFactory.getLogger(ChainRegistry.class);
  private static final String BAD_CHAIN = "https://pinion.dev/problems/bad-chain";

  private final ChainReader reader;
  private final Workers workers;
  private final EngineLimits limits;
  private final InlineChains own;
  private final ReentrantLock changes = new ReentrantLock();

  // Replaced as a whole; a message under way keeps the table that it has read.
  private volatile RoutingTable routingTable = new RoutingTable(List.of());

  /** A server without chains. */
  public ChainRegistry(ChainReader reader, Workers workers, EngineLimits limits) {
    this.reader = reader;
    this.workers = workers;
    this.limits = limits;
    this.own = new InlineChains(reader, workers, limits);
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
    List<ChainEntry> entries = new ArrayList<>();
    for (ConfiguredChain each : reader.read(documents)) {
      Chain chain = new Chain(each.plan(), workers, limits);
      entries.add(new ChainEntry(each.at(), each.byClients(), chain));
    }
    RoutingTable next = new RoutingTable(entries);
    List<SettingProblem> against = objections.apply(next.labels);
    if (!against.isEmpty()) {
      entries.forEach(chainEntry -> chainEntry.chain.close());
      throw InvalidChainsException.of(against);
    }
    replace(next);
  }

  private void replace(RoutingTable next) {
    changes.lock();
    try {
      RoutingTable before = routingTable;
      routingTable = next;
      before.entries.forEach(chainEntry -> chainEntry.chain.close());
    } finally {
      changes.unlock();
    }
  }

  /** The chains in force, by name. */
  public Map<String, Chain> inForce() {
    return new TreeMap<>(routingTable.byName);
  }

  @Override
  public <C> void enter(Message message, C context, Completion<? super C> completion) {
    String document = message.properties().get(DOCUMENT);
    if (document != null) {
      own.enter(document, message, context, completion);
      return;
    }
    String named = message.properties().get(CHAIN);
    RoutingTable now = routingTable;
    Chain chain = named == null ? now.closest(message) : now.byName.get(named);
    if (chain != null) {
      // A chain that was just replaced still takes the message, or reports that it is closed.
      chain.enterOr(message, context, completion, () -> enter(message, context, completion));
    } else if (named == null) {
      completion.complete(context, new Outcome.Proceed(message));
    } else {
      completion.complete(
          context,
          refusal(named, "expected the name of a chain (" + CHAIN + "), found \"" + named + "\""));
    }
  }

  /**
   * Takes a message to a chain that clients may name, regardless of its properties; any other name
   * is refused.
   */
  <C> void enterForClient(
      String name, Message message, C context, Completion<? super C> completion) {
    RoutingTable now = routingTable;
    Chain chain = now.forClients.contains(name) ? now.byName.get(name) : null;
    if (chain != null) {
      chain.enterOr(
          message, context, completion, () -> enterForClient(name, message, context, completion));
    } else {
      String expected = "expected the name of a chain that clients may name (byClients)";
      completion.complete(context, refusal(name, expected + ", found \"" + name + "\""));
    }
  }

  /** Takes a message to the chain that its definition names, regardless of its properties. */
  <C> void enterForDefinition(
      String name, Message message, C context, Completion<? super C> completion) {
    Chain chain = routingTable.byName.get(name);
    if (chain != null) {
      chain.enterOr(
          message,
          context,
          completion,
          () -> enterForDefinition(name, message, context, completion));
    } else {
      LOG.error("expected the chain \"{}\", which a definition names, found none", name);
      completion.complete(
          context,
          new Outcome.Refused(
              name,
              new WorkflowError(
                  BAD_CHAIN, 500, "Bad chain of handlers", "a chain of handlers is gone", null)));
    }
  }

  /** The point of each chain by name; empty for an unattached one. */
  Map<String, String> points() {
    return routingTable.labels;
  }

  /** Whether some chain is attached at a point. */
  boolean isAttachedAt(Point point) {
    return routingTable.points.contains(point);
  }

  static Outcome refusal(String chain, String detail) {
    return new Outcome.Refused(
        chain, new WorkflowError(BAD_CHAIN, 400, "Bad chain of handlers", detail, null));
  }

  /** Closes all chains: messages under way continue, further ones pass unhandled. */
  @Override
  public void close() {
    replace(new RoutingTable(List.of()));
    own.close();
  }

  private record ChainEntry(@Nullable Attachment at, boolean byClients, Chain chain) {}

  /** The chains of one document. */
  private static final class RoutingTable {
    private final List<ChainEntry> entries;
    private final Map<String, Chain> byName = new TreeMap<>();
    private final Set<Point> points = EnumSet.noneOf(Point.class);
    private final Set<String> forClients = new HashSet<>();
    private final Map<String, String> labels;

    RoutingTable(List<ChainEntry> entries) {
      this.entries = List.copyOf(entries);
      Map<String, String> of = new HashMap<>();
      for (ChainEntry chainEntry : entries) {
        String name = chainEntry.chain.plan().name();
        byName.put(name, chainEntry.chain);
        of.put(name, chainEntry.at == null ? "" : MessageTranslator.label(chainEntry.at.point()));
        if (chainEntry.byClients) {
          forClients.add(name);
        }
        if (chainEntry.at != null) {
          points.add(chainEntry.at.point());
        }
      }
      labels = Map.copyOf(of);
    }

    @Nullable Chain closest(Message message) {
      Chain closest = null;
      int best = -1;
      for (ChainEntry chainEntry : entries) {
        int fit = chainEntry.at == null ? -1 : chainEntry.at.fit(message);
        if (fit > best) {
          best = fit;
          closest = chainEntry.chain;
        }
      }
      return closest;
    }
  }
}
