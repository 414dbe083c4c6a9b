package dev.pinion.handlers.config;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.SpellingSuggestion;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.api.SettingProblem;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.plan.ChainOptions;
import dev.pinion.handlers.plan.ChainPlan;
import dev.pinion.handlers.plan.ChainStage;
import dev.pinion.handlers.plan.StagePlanner;
import dev.pinion.handlers.plan.Step;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads documents of chains, YAML or JSON, and makes handlers and plans from them. Finds all
 * problems of a document at once. For use by any thread.
 */
public final class ChainReader {
  private final HandlerKinds kinds;
  private final EngineLimits limits;
  private final @Nullable HandlerProvider remote;

  /**
   * A reader.
   *
   * @param kinds kinds of handlers for chains
   * @param remote places handlers in other processes; null when there are none
   */
  public ChainReader(HandlerKinds kinds, EngineLimits limits, @Nullable HandlerProvider remote) {
    this.kinds = kinds;
    this.limits = limits;
    this.remote = remote;
  }

  /**
   * Reads a document.
   *
   * @throws InvalidChainsException with all problems; no handler is left open then
   */
  public List<ConfiguredChain> read(String text) throws InvalidChainsException {
    return read(new TreeMap<>(Map.of("", text)));
  }

  /**
   * Reads documents as if they were one: names of chains and modules are unique over all.
   *
   * @param documents texts by name; the name precedes the pointers of problems unless it is empty
   * @throws InvalidChainsException with all problems; no handler is left open then
   */
  public List<ConfiguredChain> read(SortedMap<String, String> documents)
      throws InvalidChainsException {
    return new Reading().read(documents);
  }

  /** Arrangement of the steps of a chain without given stages. */
  private enum StepOrder {
    GIVEN,
    AUTO
  }

  /** One document that is being read. */
  private final class Reading {
    private final List<Handler> made = new ArrayList<>();
    private final List<ConfiguredChain> chains = new ArrayList<>();
    private final PairCheck peers = new PairCheck();
    private final Set<String> names = new HashSet<>();
    private final Set<Attachment> places = new HashSet<>();

    List<ConfiguredChain> read(SortedMap<String, String> documents) throws InvalidChainsException {
      SortedMap<String, Settings> roots = new TreeMap<>();
      List<SettingProblem> problems = parse(documents, roots);
      try {
        chains(roots.values());
      } catch (RuntimeException e) {
        close();
        throw e;
      }
      roots.forEach(
          (name, root) -> root.problems().forEach(problem -> problems.add(problem.in(name))));
      if (!problems.isEmpty()) {
        close();
        throw InvalidChainsException.of(problems);
      }
      return List.copyOf(chains);
    }

    private List<SettingProblem> parse(
        SortedMap<String, String> documents, SortedMap<String, Settings> roots) {
      List<SettingProblem> problems = new ArrayList<>();
      for (Map.Entry<String, String> each : documents.entrySet()) {
        try {
          roots.put(each.getKey(), new Settings(ChainYamlReader.read(each.getValue(), limits), ""));
        } catch (InvalidChainsException e) {
          e.problems().forEach(problem -> problems.add(problem.in(each.getKey())));
        }
      }
      return problems;
    }

    private void chains(Collection<Settings> roots) {
      List<Settings> modules = new ArrayList<>();
      roots.forEach(root -> modules.addAll(root.groups("modules")));
      StepReader steps = new StepReader(kinds, remote, HandlerModules.of(modules), made);
      int count = 0;
      for (Settings root : roots) {
        List<Settings> given = root.groups("chains");
        count += given.size();
        atMost(root, "chains", count, limits.handlers().maxChains(), "maxChains");
        given.forEach(each -> chain(each, steps));
      }
      peers.check();
      roots.forEach(Settings::refuseUnknown);
    }

    private void close() {
      made.forEach(Handler::close);
    }

    private void chain(Settings chain, StepReader reader) {
      String name = chain.text("name");
      if (!name.isEmpty() && !names.add(name)) {
        chain.problem("name", "expected each chain once, found \"" + name + "\" again");
      }
      Attachment at = attachment(chain);
      boolean byClients = chain.flag("byClients", false);
      if (byClients && at != null) {
        chain.problem(
            "byClients",
            "expected a chain that is attached nowhere (without at) for clients to name, found one"
                + " that is");
      }
      if (at != null && !places.add(at)) {
        chain.problem("at", "expected one chain for the same messages, found another one before");
      }
      List<Settings> given = chain.groups("handlers");
      atMost(chain, "handlers", given.size(), limits.handlers().maxHandlers(), "maxHandlers");
      Map<String, Step> steps = new LinkedHashMap<>();
      for (Settings each : given) {
        Step step = reader.step(name, each);
        if (step != null && steps.putIfAbsent(step.name(), step) != null) {
          each.problem("name", "expected each handler once, found \"" + step + "\" again");
        }
        if (step != null) {
          peers.add(name, at, step, each);
        }
      }
      List<ChainStage> stages = stages(chain, steps);
      ChainOptions chainOptions = terms(chain);
      if (steps.size() == given.size()) {
        List<String> problems = ChainPlan.problems(stages);
        problems.forEach(problem -> chain.problem(null, problem));
        if (problems.isEmpty()) {
          chains.add(new ConfiguredChain(new ChainPlan(name, stages, chainOptions), at, byClients));
        }
      }
    }
  }

  private static void atMost(Settings settings, String name, int found, int most, String limit) {
    if (found > most) {
      settings.problem(
          name,
          "expected at most " + most + " " + name + " (handlers." + limit + "), found " + found);
    }
  }

  private static @Nullable Attachment attachment(Settings chain) {
    String definition = chain.text("definition", "");
    String service = chain.text("service", "");
    String serviceClass = chain.text("serviceClass", "");
    if (!chain.has("at")) {
      for (String each : List.of("definition", "service", "serviceClass")) {
        if (chain.has(each)) {
          chain.problem(each, "expected the point as well (at), found none");
        }
      }
      return null;
    }
    Point point = chain.choice("at", Point.REQUEST_IN);
    if (point == Point.REQUEST_IN || point == Point.RESPONSE_OUT) {
      for (String each : List.of("service", "serviceClass")) {
        if (chain.has(each)) {
          chain.problem(
              each, "expected this for calls only (at: before-call or after-call), found requests");
        }
      }
    }
    return new Attachment(
        point,
        definition.isEmpty() ? null : definition,
        service.isEmpty() ? null : service,
        serviceClass.isEmpty() ? null : serviceClass);
  }

  private static ChainOptions terms(Settings chain) {
    String priority = chain.text("priority", "");
    ChainOptions.SideBySide sideBySide = chain.choice("sideBySide", ChainOptions.SideBySide.AUTO);
    Payload window = chain.value("window");
    int size = ChainOptions.CPUS;
    if (window != null) {
      String text = window.json().asText();
      if (text.equals("adaptive")) {
        size = ChainOptions.ADAPTIVE;
      } else if (window.json().isInt() && window.json().intValue() > 0) {
        size = window.json().intValue();
      } else if (!text.equals("cpus")) {
        chain.problem("window", "expected adaptive, cpus or a number of messages, found " + window);
      }
    }
    return new ChainOptions(priority.isEmpty() ? null : priority, size, sideBySide);
  }

  private static List<ChainStage> stages(Settings chain, Map<String, Step> steps) {
    Payload layout = chain.value("stages");
    StepOrder stepOrder = chain.choice("order", StepOrder.GIVEN);
    if (layout == null) {
      List<Step> given = List.copyOf(steps.values());
      return stepOrder == StepOrder.AUTO
          ? StagePlanner.plan(given)
          : given.stream().map(step -> new ChainStage(List.of(step))).toList();
    }
    if (chain.has("order")) {
      chain.problem("order", "expected either order or stages, found both");
    }
    return explicitStages(chain, layout, steps);
  }

  private static List<ChainStage> explicitStages(
      Settings chain, Payload layout, Map<String, Step> steps) {
    List<ChainStage> stages = new ArrayList<>();
    Set<String> left = new HashSet<>(steps.keySet());
    for (int i = 0; i < layout.json().size(); i++) {
      List<Step> stage = new ArrayList<>();
      for (int j = 0; j < layout.json().path(i).size(); j++) {
        String name = layout.json().path(i).path(j).asText();
        Step step = steps.get(name);
        if (step != null) {
          stage.add(step);
          left.remove(name);
        } else {
          chain.problem(
              "stages",
              "expected the name of a handler of this chain, found \""
                  + name
                  + "\"; "
                  + SpellingSuggestion.hint(name, steps.keySet()));
        }
      }
      stages.add(new ChainStage(stage));
    }
    if (!left.isEmpty() || !layout.json().isArray()) {
      chain.problem(
          "stages",
          "expected an array of arrays with every handler of the chain, found none for "
              + left.stream().sorted().toList());
    }
    return stages;
  }
}
