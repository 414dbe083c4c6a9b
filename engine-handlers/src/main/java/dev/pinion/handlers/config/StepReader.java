package dev.pinion.handlers.config;

import dev.pinion.core.model.Payload;
import dev.pinion.core.model.SpellingSuggestion;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.plan.Step;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the use of a handler in a chain, and makes the handler. */
final class StepReader {
  private final HandlerKinds kinds;
  private final @Nullable HandlerProvider remote;
  private final HandlerModules handlerModules;
  private final List<Handler> made;

  /**
   * A reader.
   *
   * @param made receives every handler that is made
   */
  StepReader(
      HandlerKinds kinds,
      @Nullable HandlerProvider remote,
      HandlerModules handlerModules,
      List<Handler> made) {
    this.kinds = kinds;
    this.remote = remote;
    this.handlerModules = handlerModules;
    this.made = made;
  }

  /** The step, or null when none can be made; the reason is then among the problems. */
  @Nullable Step step(String chain, Settings step) {
    String use = step.text("use");
    String name = step.text("name", use);
    String partner = step.text("partner", "");
    String module = step.text("module", "");
    HandlerModules.ExecutionSite executionSite = handlerModules.siteOf(step, module);
    Payload given = Objects.requireNonNullElse(step.value("settings"), Payload.EMPTY_OBJECT);
    HandlerFactory factory = kinds.byName().get(use);
    if (factory == null) {
      if (!use.isEmpty()) {
        step.problem(
            "use",
            "expected a kind of handlers, found \""
                + use
                + "\"; "
                + (kinds.byName().isEmpty()
                    ? "none is installed"
                    : SpellingSuggestion.hint(use, kinds.byName().keySet())));
      }
      name(step);
      return null;
    }
    Handler handler = make(factory, step);
    if (handler == null) {
      name(step);
      return null;
    }
    boolean stored = step.choice("delivery", Delivery.DIRECT) == Delivery.STORED;
    boolean elsewhere =
        executionSite != HandlerModules.ExecutionSite.LOCAL
            && runsInHosts(factory, given, step)
            && hasHosts(step);
    Declaration declared = declaration(step, handler.declaration());
    if (declared == null || (stored && !mayBeStored(step, executionSite, declared))) {
      return null;
    }
    if (elsewhere) {
      handler =
          Objects.requireNonNull(remote)
              .provide(
                  new HandlerProvider.RemoteHandlerRequest(
                      chain,
                      name,
                      use,
                      given,
                      handler,
                      declared,
                      placement(executionSite, stored)));
    }
    return new Step(name, use, handler, declared, partner.isEmpty() ? null : partner);
  }

  private static HandlerProvider.Placement placement(
      HandlerModules.ExecutionSite executionSite, boolean stored) {
    if (executionSite == HandlerModules.ExecutionSite.AUTO) {
      return HandlerProvider.Placement.AUTO;
    }
    return stored ? HandlerProvider.Placement.STORED : HandlerProvider.Placement.DIRECT;
  }

  /** Delivery of messages to hosts. */
  enum Delivery {
    /** While the chain waits for the host. */
    DIRECT,
    /** By a server that stores them until a host has processed them. */
    STORED
  }

  /** Only for oneway handlers: the chains of others wait for the outcome. */
  private static boolean mayBeStored(
      Settings step, HandlerModules.ExecutionSite executionSite, Declaration declared) {
    if (executionSite == HandlerModules.ExecutionSite.REMOTE && declared.oneway()) {
      return true;
    }
    step.problem(
        "delivery",
        "expected \"stored\" of oneway handlers in hosts (place: remote, oneway: true), found "
            + (declared.oneway() ? "one that may run here" : "one whose outcome is waited for"));
    return false;
  }

  /** Marks settings as known that are not read when there is no handler. */
  private static void name(Settings step) {
    for (String each :
        List.of("mustPerform", "oneway", "timeout", "retries", "peer", "settings", "delivery")) {
      step.has(each);
    }
  }

  private @Nullable Handler make(HandlerFactory factory, Settings step) {
    Settings settings = step.group("settings");
    int before = settings.problems().size();
    try {
      Handler handler = factory.create(settings);
      made.add(handler);
      return handler;
    } catch (RuntimeException e) {
      if (settings.problems().size() == before) {
        settings.problem(
            null,
            "expected settings that " + factory.name() + " accepts, found: " + e.getMessage());
      }
      return null;
    }
  }

  private static boolean runsInHosts(HandlerFactory factory, Payload given, Settings step) {
    boolean runs = factory.runsInHosts(new Settings(given, ""));
    if (!runs) {
      step.problem(
          "place",
          "expected place: local for \""
              + factory.name()
              + "\" with these settings, which needs the engine, found one for handler hosts");
    }
    return runs;
  }

  private boolean hasHosts(Settings step) {
    if (remote == null) {
      step.problem(
          null,
          "expected a handler that runs here (place: local), found one for handler hosts;"
              + " there are none");
    }
    return remote != null;
  }

  private static @Nullable Declaration declaration(Settings step, Declaration own) {
    step.has("peer"); // checked with the others
    boolean mustPerform = step.flag("mustPerform", own.mustPerform());
    boolean oneway = step.flag("oneway", own.oneway());
    int retries = step.integer("retries", own.retries(), 0, Declaration.MAX_RETRIES);
    var timeout = step.duration("timeout", own.timeout(), Declaration.MAX_TIMEOUT);
    try {
      return own.withMustPerform(false)
          .withOneway(oneway)
          .withMustPerform(mustPerform)
          .retried(retries)
          .within(timeout);
    } catch (IllegalArgumentException e) {
      step.problem("oneway", String.valueOf(e.getMessage()));
      return null;
    }
  }
}
