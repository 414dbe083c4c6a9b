package dev.pinion.bootstrap.brokerd.behaviour;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.broker.model.ProcessNode;
import dev.pinion.core.binding.AbstractServiceUri;
import dev.pinion.core.graph.Block;
import dev.pinion.core.graph.EventIteration;
import dev.pinion.core.graph.FlowDirective;
import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.graph.TaskAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The behavioural model of a process graph: the tree of the abstract services that it names.
 * Parameters that are not in a graph are assumed, until the path analyser has measured them.
 *
 * <table>
 *   <caption>Model of tasks</caption>
 *   <tr><td>call of {@code svc://NAME}<td>a task; other calls are left out
 *   <tr><td>switch<td>a choice; all branches equally likely, including that of no match
 *   <tr><td>if<td>a choice to do it or not, {@link #CONDITION}
 *   <tr><td>then<td>jumps, see {@link BlockStructuring}
 *   <tr><td>for<td>a loop, {@link #ROUNDS} unless its metadata has {@code iterations}
 *   <tr><td>parallelForEach<td>a flow of up to {@link #MAX_BRANCHES} like branches, which share the
 *       rounds evenly
 *   <tr><td>fork<td>a flow, even if it competes
 *   <tr><td>asyncapi<td>a loop for what it does with messages
 *   <tr><td>listen<td>a loop for what it does with events: one round, or {@link #ROUNDS} if it goes on
 *   <tr><td>try<td>its tasks fail with {@link #FAILURE}: retries are a loop, the handler of the
 *       error is a loop of less than one round
 *   <tr><td>run<td>left out: the other definition has a model of its own
 *   <tr><td>raise<td>leads to the handler of the error, or to the end
 * </table>
 */
public final class ProcessGraphModel {
  /** Probability of a condition ({@code if}). */
  public static final double CONDITION = 0.5;

  /** Rounds of a {@code for}, and items of a parallelForEach. */
  public static final double ROUNDS = 3;

  /** Probability that the tasks within a {@code try} fail, besides errors that they raise. */
  public static final double FAILURE = 0.05;

  /** Most branches of a parallelForEach. */
  public static final int MAX_BRANCHES = 16;

  /** Assumed limit of attempts of a {@code try} without a limit. */
  private static final double MAX_ATTEMPTS = 10;

  private final String prefix;

  private ProcessGraphModel(String prefix) {
    this.prefix = prefix;
  }

  /**
   * The tree of a graph. Ids of its nodes are namespace and name of the definition and the pointer
   * of a task, so that tasks that keep their place keep their ids in another version.
   *
   * @return an empty sequence when the graph names no abstract service
   */
  public static ProcessNode of(ProcessGraph graph) {
    String prefix = graph.key().namespace() + "/" + graph.key().name();
    return new ProcessGraphModel(prefix).block(graph.body()).tree();
  }

  private String id(Node node) {
    return prefix + node.attributes().pointer();
  }

  private ProcessFragment block(Block block) {
    return block(block, this::id);
  }

  /** An extended task stands in a block of its own that has its pointer. */
  private ProcessFragment block(Node.Do task) {
    String own = id(task);
    return block(task.body(), each -> id(each).equals(own) ? own + ".extended" : id(each));
  }

  private ProcessFragment block(Block block, Function<Node, String> ids) {
    List<Node> tasks = block.tasks();
    List<ProcessFragment> steps = new ArrayList<>();
    for (int i = 0; i < tasks.size(); i++) {
      int behind = i + 1 < tasks.size() ? i + 1 : FlowDirective.EXIT;
      ProcessFragment step = step(tasks.get(i));
      Map<Integer, Double> to = new LinkedHashMap<>();
      step.to()
          .forEach(
              (place, each) ->
                  ProcessFragment.add(to, place == FlowDirective.CONTINUE ? behind : place, each));
      steps.add(new ProcessFragment(step.tree(), to));
    }
    return BlockStructuring.of(steps, i -> ids.apply(tasks.get(i)));
  }

  private ProcessFragment step(Node node) {
    ProcessFragment done = done(node);
    if (node.attributes().condition() == null) {
      return done;
    }
    Map<Integer, Double> to = new LinkedHashMap<>();
    done.to().forEach((place, each) -> ProcessFragment.add(to, place, CONDITION * each));
    ProcessFragment.add(to, node.attributes().next(), 1 - CONDITION);
    ProcessNode tree =
        ProcessTrees.choice(
            id(node) + ".if",
            List.of(done.tree(), ProcessTrees.NOTHING),
            List.of(CONDITION, 1 - CONDITION));
    return new ProcessFragment(tree, to);
  }

  private ProcessFragment done(Node node) {
    int next = node.attributes().next();
    return switch (node) {
      case Node.Set _, Node.RunWorkflow _, Node.Wait _, Node.Emit _, Node.Schedule _ ->
          ProcessFragment.leadingTo(next);
      case Node.Listen listen -> listen(listen);
      case Node.Subscribe subscription -> subscribe(subscription);
      case Node.Raise _ -> ProcessFragment.leadingTo(ProcessFragment.RAISE);
      case Node.Call _ -> new ProcessFragment(call(node.attributes()), Map.of(next, 1.0));
      case Node.Switch choice -> choose(choice);
      case Node.Do task -> within(block(task), next);
      case Node.For loop -> repeat(loop, block(loop.body()));
      case Node.ParallelForEach loop -> spread(loop, block(loop.body()));
      case Node.Fork fork -> fork(fork);
      case Node.Try attempt -> attempt(attempt);
    };
  }

  private ProcessFragment listen(Node.Listen listen) {
    double rounds = listen.to().isOpenEnded() ? rounds(listen.attributes()) : 1;
    return iteration(listen, listen.foreach(), rounds);
  }

  private ProcessFragment subscribe(Node.Subscribe subscription) {
    return iteration(subscription, subscription.foreach(), rounds(subscription.attributes()));
  }

  private ProcessFragment iteration(Node node, @Nullable EventIteration foreach, double rounds) {
    int next = node.attributes().next();
    if (foreach == null || foreach.body() == null) {
      return ProcessFragment.leadingTo(next);
    }
    ProcessFragment body = block(foreach.body());
    return new ProcessFragment(
        loop(id(node), body.tree(), body.begun(rounds)), body.repeated(rounds, next));
  }

  private static ProcessNode call(TaskAttributes common) {
    JsonNode endpoint = common.definition().json().path("with").path("endpoint");
    String uri = endpoint.isTextual() ? endpoint.asText() : endpoint.path("uri").asText();
    String service = AbstractServiceUri.service(uri);
    return service == null ? ProcessTrees.NOTHING : new ProcessNode.Task(service);
  }

  private static ProcessFragment choose(Node.Switch choice) {
    List<Integer> ways = new ArrayList<>();
    choice.cases().forEach(each -> ways.add(each.then()));
    if (choice.cases().stream().noneMatch(each -> each.when() == null)) {
      ways.add(choice.attributes().next());
    }
    Map<Integer, Double> to = new LinkedHashMap<>();
    ways.forEach(place -> ProcessFragment.add(to, place, 1.0 / ways.size()));
    return new ProcessFragment(ProcessTrees.NOTHING, to);
  }

  /**
   * A block in place of a task: requests that leave it continue behind it, and those that go to the
   * block around do so at once.
   */
  private static ProcessFragment within(ProcessFragment block, int next) {
    Map<Integer, Double> to = new LinkedHashMap<>();
    block.to().forEach((place, each) -> ProcessFragment.add(to, behind(place, next), each));
    return new ProcessFragment(block.tree(), to);
  }

  private static int behind(int place, int next) {
    if (FlowDirective.isOuter(place)) {
      return FlowDirective.inOuter(place);
    }
    return place == FlowDirective.EXIT ? next : place;
  }

  private ProcessFragment repeat(Node.For loop, ProcessFragment body) {
    double rounds = rounds(loop.attributes());
    return new ProcessFragment(
        loop(id(loop), body.tree(), body.begun(rounds)),
        body.repeated(rounds, loop.attributes().next()));
  }

  /** A loop even with one round, so that more can be measured. */
  private static ProcessNode loop(String id, ProcessNode tree, double rounds) {
    return ProcessTrees.isNothing(tree) ? tree : new ProcessNode.Loop(id + ".rounds", tree, rounds);
  }

  private ProcessFragment spread(Node.ParallelForEach loop, ProcessFragment body) {
    double items = rounds(loop.attributes());
    double most = loop.maxConcurrency() == 0 ? MAX_BRANCHES : loop.maxConcurrency();
    int branches = (int) Math.clamp(Math.ceil(items), 1, Math.min(most, MAX_BRANCHES));
    ProcessNode first = loop(id(loop), body.tree(), items / branches);
    List<ProcessNode> like = new ArrayList<>();
    for (int i = 1; i <= branches; i++) {
      like.add(i == 1 ? first : ProcessTrees.renamed(first, "~" + i));
    }
    return new ProcessFragment(
        ProcessTrees.flow(id(loop) + ".items", like),
        body.repeated(items, loop.attributes().next()));
  }

  private static double rounds(TaskAttributes common) {
    JsonNode said = common.definition().json().path("metadata").path("pinion").path("iterations");
    return said.isNumber() && said.asDouble() >= 0 ? said.asDouble() : ROUNDS;
  }

  private ProcessFragment fork(Node.Fork fork) {
    List<ProcessFragment> branches = fork.branches().stream().map(this::step).toList();
    return new ProcessFragment(
        ProcessTrees.flow(
            id(fork) + ".branches", branches.stream().map(ProcessFragment::tree).toList()),
        ProcessFragment.joined(branches, fork.attributes().next()));
  }

  private ProcessFragment attempt(Node.Try attempt) {
    ProcessFragment body = block(attempt.body());
    Node.Catch handler = attempt.handler();
    double success = (1 - FAILURE) * body.share(FlowDirective.EXIT);
    double failure = 1 - success - body.share(FlowDirective.END);
    double attempts = attempts(failure, handler.retry());
    double caught = 1 - attempts * (1 - failure);
    Map<Integer, Double> to = new LinkedHashMap<>();
    int next = attempt.attributes().next();
    ProcessFragment.add(to, next, attempts * success);
    ProcessFragment.add(to, FlowDirective.END, attempts * body.share(FlowDirective.END));
    ProcessFragment handled =
        handler.body() == null
            ? ProcessFragment.leadingTo(FlowDirective.EXIT)
            : block(handler.body());
    int then = handler.then() == null ? next : handler.then();
    within(handled, then)
        .to()
        .forEach((place, each) -> ProcessFragment.add(to, place, caught * each));
    String id = id(attempt);
    return new ProcessFragment(
        ProcessTrees.sequence(
            List.of(
                ProcessTrees.times(id + ".attempts", body.tree(), attempts),
                ProcessTrees.times(id + ".caught", handled.tree(), caught))),
        to);
  }

  /** Expected attempts, all of which failed except the last. */
  private static double attempts(double failure, Node.@Nullable Retry retry) {
    if (retry == null) {
      return 1;
    }
    double most =
        retry.limit().maxRetries() == Integer.MAX_VALUE
            ? MAX_ATTEMPTS
            : retry.limit().maxRetries() + 1.0;
    return failure >= 1 ? most : (1 - Math.pow(failure, most)) / (1 - failure);
  }
}
