package dev.pinion.handlers;

import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.config.Attachment;
import dev.pinion.handlers.config.ChainReader;
import dev.pinion.handlers.config.ConfiguredChain;
import dev.pinion.handlers.config.InvalidChainsException;
import dev.pinion.handlers.run.Chain;
import dev.pinion.handlers.run.Gateway;
import dev.pinion.handlers.run.Outcome;
import dev.pinion.handlers.run.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * All chains of a server: finds the one for a message and lets it in there. For use by any thread.
 *
 * <p>A message goes to the chain that its property {@value #CHAIN} names, to that of the document
 * in its property {@value #DOCUMENT}, or else to the one whose attachment fits it most closely;
 * with none it goes on as it is. These two properties are for whoever makes messages to set; what
 * comes from clients never becomes one of them.
 */
public final class Chains implements Gateway, AutoCloseable {
  /** The property by which a message names its chain. */
  public static final String CHAIN = "handlers.chain";

  /** The property by which a message brings along a document with one chain. */
  public static final String DOCUMENT = "handlers.document";

  private static final String BAD_CHAIN = "https://pinion.dev/problems/bad-chain";

  private final ChainReader reader;
  private final Workers workers;
  private final EngineLimits limits;
  private final OwnChains own;
  private final ReentrantLock changes = new ReentrantLock();

  // Replaced as a whole; a message under way keeps what it has found here.
  private volatile Table table = new Table(List.of());

  /** A server without chains. */
  public Chains(ChainReader reader, Workers workers, EngineLimits limits) {
    this.reader = reader;
    this.workers = workers;
    this.limits = limits;
    this.own = new OwnChains(reader, workers, limits);
  }

  /**
   * Replaces all chains by those of a document. The next message goes by these; messages under way
   * go on by the chains that they are in.
   *
   * @throws InvalidChainsException when the document is refused; the chains stay as they are
   */
  public void install(String document) throws InvalidChainsException {
    List<Entry> entries = new ArrayList<>();
    for (ConfiguredChain each : reader.read(document)) {
      entries.add(new Entry(each.at(), new Chain(each.plan(), workers, limits)));
    }
    replace(new Table(entries));
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
      // A chain that was replaced just now still takes the message, or says that it is closed.
      chain.enterOr(message, context, exit, () -> enter(message, context, exit));
    } else if (named == null) {
      exit.leave(context, new Outcome.Proceed(message));
    } else {
      exit.leave(
          context,
          refusal(named, "expected the name of a chain (" + CHAIN + "), found \"" + named + "\""));
    }
  }

  static Outcome refusal(String chain, String detail) {
    return new Outcome.Refused(
        chain, new WorkflowError(BAD_CHAIN, 400, "Bad chain of handlers", detail, null));
  }

  /** Lets go of all chains: messages under way go on, further ones pass unhandled. */
  @Override
  public void close() {
    replace(new Table(List.of()));
    own.close();
  }

  private record Entry(@Nullable Attachment at, Chain chain) {}

  /** The chains of one document. */
  private static final class Table {
    private final List<Entry> entries;
    private final Map<String, Chain> byName = new TreeMap<>();

    Table(List<Entry> entries) {
      this.entries = List.copyOf(entries);
      entries.forEach(entry -> byName.put(entry.chain.plan().name(), entry.chain));
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
