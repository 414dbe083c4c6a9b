package dev.pinion.handlers;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.config.ChainReader;
import dev.pinion.handlers.config.ConfiguredChain;
import dev.pinion.handlers.config.InvalidChainsException;
import dev.pinion.handlers.run.Chain;
import dev.pinion.handlers.run.MessageGateway;
import dev.pinion.handlers.run.Outcome;
import dev.pinion.handlers.run.Workers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chains in messages, as documents with one chain each. The last used are kept ready; a new one is
 * made by a worker, never by the thread that brings the message.
 */
final class InlineChains {
  private static final Logger LOG = LoggerFactory.getLogger(InlineChains.class);

  private final ChainReader reader;
  private final Workers workers;
  private final EngineLimits limits;
  private final Semaphore making;

  // Guarded by itself; the one unused for longest comes first.
  private final LinkedHashMap<String, Chain> ready = new LinkedHashMap<>(16, 0.75f, true);

  InlineChains(ChainReader reader, Workers workers, EngineLimits limits) {
    this.reader = reader;
    this.workers = workers;
    this.limits = limits;
    this.making = new Semaphore(limits.handlers().maxOwnChains());
  }

  <C> void enter(
      String document,
      Message message,
      C context,
      MessageGateway.Completion<? super C> completion) {
    int most = limits.handlers().maxOwnDocumentChars();
    if (document.length() > most) {
      completion.complete(
          context,
          ChainRegistry.refusal(
              "",
              "expected a document of at most "
                  + most
                  + " characters (handlers.maxOwnDocumentChars), found "
                  + document.length()));
      return;
    }
    Chain known = ready(document);
    if (known != null) {
      known.enterOr(
          message, context, completion, () -> enter(document, message, context, completion));
    } else if (making.tryAcquire()) {
      workers.execute(() -> make(document, message, context, completion));
    } else {
      completion.complete(context, new Outcome.Overloaded("handlers.maxOwnChains", 1));
    }
  }

  private @Nullable Chain ready(String document) {
    synchronized (ready) {
      return ready.get(document);
    }
  }

  private <C> void make(
      String document,
      Message message,
      C context,
      MessageGateway.Completion<? super C> completion) {
    Chain chain;
    try {
      chain = ready(document);
      if (chain == null) {
        chain = cache(document, only(reader.read(document)));
      }
    } catch (InvalidChainsException e) {
      completion.complete(context, ChainRegistry.refusal("", String.valueOf(e.getMessage())));
      return;
    } catch (RuntimeException e) { // of a third party's handler, which could not be made
      LOG.warn("the handlers of a message could not be made", e);
      completion.complete(
          context, ChainRegistry.refusal("", "expected handlers that can be made, found: " + e));
      return;
    } finally {
      making.release();
    }
    chain.enterOr(
        message, context, completion, () -> enter(document, message, context, completion));
  }

  private Chain only(List<ConfiguredChain> chains) throws InvalidChainsException {
    if (chains.size() == 1) {
      return new Chain(chains.getFirst().plan(), workers, limits);
    }
    chains.forEach(each -> new Chain(each.plan(), workers, limits).close());
    throw InvalidChainsException.of(
        "/chains", "expected one chain in the document of a message, found " + chains.size());
  }

  private Chain cache(String document, Chain made) {
    synchronized (ready) {
      Chain other = ready.putIfAbsent(document, made);
      if (other != null) {
        made.close();
        return other;
      }
      if (ready.size() > limits.handlers().maxOwnChains()) {
        Map.Entry<String, Chain> oldest = ready.firstEntry();
        ready.remove(oldest.getKey());
        oldest.getValue().close();
      }
      return made;
    }
  }

  void close() {
    synchronized (ready) {
      ready.values().forEach(Chain::close);
      ready.clear();
    }
  }
}
