package dev.pinion.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.pinion.oracle.Verdict.Call;
import dev.pinion.oracle.Verdict.Completed;
import dev.pinion.oracle.Verdict.Faulted;
import dev.pinion.oracle.Verdict.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Runs a process by the words of the specification, and of the engine's documents where these leave
 * something open: by recursion, one branch after another, without events and without state that
 * outlives a call. Time is a number that each branch counts; services take none.
 */
final class Interpreter {
  private static final int MOST_TASKS = 70;
  private static final int MOST_CALLS = 25;
  private static final int MOST_PARTS = 120;

  /** Least distance of the ends of competing branches with a certain winner. */
  private static final long CLEAR_LEAD_MILLIS = 86_400_000;

  private final Definition definition;
  private final Map<String, Integer> ordinals = new HashMap<>();
  private final List<Made> calls = new ArrayList<>();
  private final Set<Occurrence> occurrences = EnumSet.noneOf(Occurrence.class);
  private int tasks;
  private int completions;

  Interpreter(Definition definition) {
    this.definition = definition;
  }

  /** One thread of control: what {@code $context} is in it, its time, and what can be undone. */
  private static final class Strand {
    JsonNode context;
    long millis;

    /** What has completed in the present scope. */
    List<Done> done = new ArrayList<>();

    /** What was undone; where another branch may end this one, perhaps in vain. */
    final List<Done> undone = new ArrayList<>();

    Strand(JsonNode context, long millis) {
      this.context = context;
      this.millis = millis;
    }
  }

  /**
   * The output of a task and where the flow goes from it.
   *
   * @param variables additional variables of its {@code output} and {@code export}: after a catch,
   *     the error
   */
  private record Step(
      JsonNode output, @Nullable String then, @Nullable Map<String, JsonNode> variables) {
    Step(JsonNode output, @Nullable String then) {
      this(output, then, null);
    }
  }

  /** End of a branch: an output, or an end of more than the branch. */
  private record BranchEnd(
      Strand strand, @Nullable JsonNode output, @Nullable RuntimeException abrupt) {
    boolean isAbrupt() {
      return abrupt != null;
    }
  }

  /** A call or an emitted event, and whether it is sure to be made and may be made at all. */
  private static final class Made {
    final String path;
    final JsonNode body;
    final long millis;

    /** When the process was begun that makes it and that nobody ends; else its own time. */
    long begunMillis;

    boolean certain = true;
    boolean possible = true;

    Made(String path, JsonNode body, long millis) {
      this.path = path;
      this.body = body;
      this.millis = millis;
      this.begunMillis = millis;
    }
  }

  Verdict run() {
    Strand main = new Strand(NullNode.getInstance(), 0);
    if (definition.isScheduled()) {
      occurrences.add(Occurrence.SCHEDULED);
    }
    Outcome outcome;
    try {
      outcome = new Completed(workflow(definition, definition.input(), main));
      occurrences.add(Occurrence.COMPLETED);
    } catch (Fault fault) {
      Fault known = fault.at("/");
      outcome = new Faulted(known.type, known.status, String.valueOf(known.instance));
      occurrences.add(Occurrence.FAULTED);
    }
    return new Verdict(outcome, main.millis, callsByBranch(), occurrences);
  }

  private Map<Integer, List<Call>> callsByBranch() {
    Map<Integer, List<Call>> byBranch = new TreeMap<>();
    for (Made made : calls) {
      if (made.possible) {
        byBranch
            .computeIfAbsent(Definition.branch(made.path), branch -> new ArrayList<>())
            .add(new Call(made.path, made.body, made.millis, made.certain));
      }
    }
    return byBranch;
  }

  /** A whole process; what has completed is undone before its error leaves it. */
  private JsonNode workflow(Definition process, JsonNode raw, Strand main) {
    try {
      return completed(process, raw, main);
    } catch (Fault fault) {
      undo(main.done, fault, main);
      throw fault;
    }
  }

  private JsonNode completed(Definition process, JsonNode raw, Strand main) {
    JsonNode input = process.from == null ? raw : value(process.from, new Scope(raw, Map.of()));
    main.context = input;
    JsonNode output;
    try {
      output = block(process.tasks, "/do", input, main, Map.of());
    } catch (WorkflowEnd end) {
      occurrences.add(Occurrence.ENDED_EARLY);
      output = end.output;
    }
    Scope scope = new Scope(output, Map.of("context", main.context));
    return process.as == null ? output : value(process.as, scope);
  }

  /** Tasks one after another, each on the output of the one before; their names are unique. */
  private JsonNode block(
      List<Task> list,
      String pointer,
      JsonNode input,
      Strand strand,
      Map<String, JsonNode> variables) {
    JsonNode value = input;
    int at = 0;
    while (at < list.size()) {
      Step step = task(list.get(at), pointer + "/" + at, value, strand, variables);
      value = step.output;
      switch (step.then) {
        case null -> at++;
        case "continue" -> at++;
        case "exit" -> {
          occurrences.add(Occurrence.EXITED);
          return value;
        }
        case "end" -> throw new WorkflowEnd(value);
        default -> {
          at = list.stream().map(Task::name).toList().indexOf(step.then);
          occurrences.add(Occurrence.JUMPED);
        }
      }
    }
    return value;
  }

  private Step task(
      Task task, String place, JsonNode raw, Strand strand, Map<String, JsonNode> variables) {
    if (++tasks > MOST_TASKS) {
      throw new Excessive("too many tasks");
    }
    String pointer = place + "/" + task.name();
    try {
      Scope before = new Scope(raw, variables).with("context", strand.context);
      if (task.condition() != null && !holds(task.condition(), before)) {
        occurrences.add(Occurrence.SKIPPED);
        return new Step(raw, null);
      }
      JsonNode input = task.from() == null ? raw : value(task.from(), before);
      Step body = body(task, pointer, input, strand, variables);
      Map<String, JsonNode> seen = body.variables == null ? variables : body.variables;
      Scope after = working(body.output, input, seen, strand);
      JsonNode output = task.as() == null ? body.output : value(task.as(), after);
      if (task.export() != null) {
        Scope whole = new Scope(output, after.variables()).with(Done.OUTPUT, output);
        strand.context = value(task.export(), whole);
        occurrences.add(Occurrence.EXPORTED);
      }
      if (task.compensation() != null) {
        strand.done.add(
            new Done(
                ++completions,
                task.compensation(),
                pointer,
                input,
                output,
                variables,
                strand.millis));
      }
      return new Step(output, body.then == null ? task.then() : body.then);
    } catch (Fault fault) {
      throw fault.at(pointer);
    }
  }

  /** What a task sees; in a compensation, the input is that of the task that had completed. */
  private static Scope working(
      JsonNode dot, JsonNode input, Map<String, JsonNode> variables, Strand strand) {
    Scope scope = new Scope(dot, variables).with("context", strand.context);
    return variables.containsKey(Done.OUTPUT) ? scope : scope.with(Done.INPUT, input);
  }

  /** Undoes what completed in a scope, the last task first; returns whether all of it is undone. */
  private boolean undo(List<Done> scope, Fault reason, Strand strand) {
    boolean whole = true;
    for (Done done : scope.stream().sorted(Done.NEWEST_FIRST).toList()) {
      int before = calls.size();
      try {
        String pointer = done.pointer + "/metadata/pinion/compensate";
        block(done.compensation, pointer, done.output, strand, done.seen(json(reason)));
        occurrences.add(Occurrence.COMPENSATED);
      } catch (Fault fault) {
        occurrences.add(Occurrence.NOT_COMPENSATED);
        whole = false;
      }
      if (!done.certain) {
        calls.subList(before, calls.size()).forEach(call -> call.certain = false);
      }
    }
    strand.undone.addAll(scope);
    return whole;
  }

  /** The raw output, and where the flow goes when the body decides that. */
  private Step body(
      Task task, String pointer, JsonNode input, Strand strand, Map<String, JsonNode> variables) {
    Scope scope = working(input, input, variables, strand);
    return switch (task.body()) {
      case Task.Assign assign -> new Step(value(assign.value(), scope), null);
      case Task.Call call -> new Step(call(call, scope, strand), null);
      case Task.Emit emit -> new Step(emit(emit, strand), null);
      case Task.Run run -> new Step(child(run, input, scope, strand), null);
      case Task.Do body ->
          new Step(block(body.tasks(), pointer + "/do", input, strand, variables), null);
      case Task.For loop -> new Step(loop(loop, pointer, input, strand, variables), null);
      case Task.Parallel loop -> new Step(parallel(loop, pointer, input, strand, variables), null);
      case Task.Fork fork -> new Step(fork(fork, pointer, input, strand, variables), null);
      case Task.Try attempt -> attempt(attempt, pointer, input, strand, variables);
      case Task.Raise raise -> {
        occurrences.add(Occurrence.RAISED);
        throw new Fault(raise.type(), raise.status(), null);
      }
      case Task.Wait wait -> new Step(pause(wait, input, strand), null);
      case Task.Switch choice -> new Step(input, choose(choice, scope));
      case Task.Unheard unheard -> new Step(unheard(unheard, strand), null);
      case Task.Converse converse ->
          new Step(converse(converse, pointer, input, strand, variables), null);
    };
  }

  private JsonNode call(Task.Call call, Scope scope, Strand strand) {
    JsonNode body = call.content() == null ? NullNode.getInstance() : value(call.content(), scope);
    String path = call.path();
    if (path.contains(Task.OF_LANE)) {
      JsonNode lane = Objects.requireNonNull(scope.variables().get(Task.LANE), "a lane");
      path = path.replace(Task.OF_LANE, lane.asText());
    }
    occurrences.add(
        switch (call.carrier()) {
          case HTTP -> Occurrence.CALLED;
          case TOKEN -> Occurrence.AUTHENTICATED;
          case PROGRAM, MCP, AGENT -> Occurrence.CALLED_OTHERWISE;
        });
    make(path, body, strand);
    int ordinal = ordinals.merge(path, 1, Integer::sum);
    Script.Answer answer = definition.answer(path, body, ordinal);
    if (!answer.isOk()) {
      occurrences.add(Occurrence.CALL_FAILED);
      throw Fault.communication(answer.status());
    }
    return answer.content();
  }

  private void make(String path, JsonNode body, Strand strand) {
    if (calls.size() == MOST_CALLS) {
      throw new Excessive("too many calls");
    }
    calls.add(new Made(path, body, strand.millis));
  }

  /** The part of the event that is not the engine's. */
  private JsonNode emit(Task.Emit emit, Strand strand) {
    occurrences.add(Occurrence.EMITTED);
    make(emit.type(), emit.data(), strand);
    ObjectNode event = JsonNodeFactory.instance.objectNode();
    event.set("data", emit.data());
    return event;
  }

  /** Another process: its calls are those of a branch of its own, its error that of the task. */
  private JsonNode child(Task.Run run, JsonNode input, Scope scope, Strand strand) {
    JsonNode raw =
        run.content() == null ? JsonNodeFactory.instance.objectNode() : value(run.content(), scope);
    int before = calls.size();
    Strand own = new Strand(NullNode.getInstance(), strand.millis);
    JsonNode output = null;
    Fault failure = null;
    try {
      output = workflow(run.child(), raw, own);
    } catch (Fault fault) {
      failure = new Fault(fault.type, fault.status, null);
    }
    if (!run.await()) {
      occurrences.add(Occurrence.CHILD_DETACHED);
      calls.subList(before, calls.size()).forEach(call -> call.begunMillis = strand.millis);
      return input;
    }
    if (run.timeoutMillis() > 0) {
      occurrences.add(Occurrence.CHILD_TIMED_OUT);
      strand.millis += run.timeoutMillis();
      throw Fault.timeout();
    }
    strand.millis = own.millis;
    if (output == null) {
      occurrences.add(Occurrence.CHILD_FAULTED);
      throw Objects.requireNonNull(failure);
    }
    occurrences.add(Occurrence.CHILD_COMPLETED);
    return run.returns() ? output : NullNode.getInstance();
  }

  private JsonNode pause(Task.Wait wait, JsonNode input, Strand strand) {
    if (wait.millis() > 0) {
      occurrences.add(Occurrence.SLEPT);
    }
    if (wait.timeoutMillis() > 0 && wait.timeoutMillis() < wait.millis()) {
      strand.millis += wait.timeoutMillis();
      occurrences.add(Occurrence.TIMED_OUT);
      throw Fault.timeout();
    }
    strand.millis += wait.millis();
    return input;
  }

  /** Waits in vain: for its timeout, or for longer than anybody looks. */
  private JsonNode unheard(Task.Unheard unheard, Strand strand) {
    if (unheard.timeoutMillis() > 0) {
      strand.millis += unheard.timeoutMillis();
      occurrences.add(Occurrence.UNHEARD);
      throw Fault.timeout();
    }
    strand.millis += Task.FAR_OFF_MILLIS;
    return JsonNodeFactory.instance.arrayNode();
  }

  /** What was heard, and the output of who has told it. */
  private JsonNode converse(
      Task.Converse converse,
      String pointer,
      JsonNode input,
      Strand strand,
      Map<String, JsonNode> variables) {
    occurrences.add(Occurrence.CONVERSED);
    if (converse.sender().body() instanceof Task.Run) {
      occurrences.add(Occurrence.CONVERSED_WITH_CHILD);
    }
    ArrayNode heard = JsonNodeFactory.instance.arrayNode();
    int index = 0;
    for (JsonNode event : heard(converse)) {
      Map<String, JsonNode> inside = Scope.plus(variables, Task.Converse.EVENT, event);
      inside = Scope.plus(inside, "index", IntNode.valueOf(index++));
      heard.add(
          converse.each().isEmpty()
              ? event
              : block(converse.each(), pointer + "/foreach/do", input, strand, inside));
    }
    if (!converse.each().isEmpty()) {
      occurrences.add(Occurrence.RAN_FOR_EVENTS);
    }
    String place = pointer + "/fork/branches/1";
    Strand own = new Strand(strand.context, strand.millis);
    JsonNode told = task(converse.sender(), place, input, own, variables).output;
    strand.millis = own.millis;
    return JsonNodeFactory.instance.arrayNode().add(heard).add(told);
  }

  /** What a listener reads of the events, in order. */
  private static List<JsonNode> heard(Task.Converse converse) {
    JsonNode data = converse.data();
    return switch (converse.way()) {
      case ONE, MATCHING, CORRELATED, ANY -> List.of(data);
      case RAW -> {
        byte[] bytes = data.toString().getBytes(StandardCharsets.UTF_8);
        yield List.of(TextNode.valueOf(Base64.getEncoder().encodeToString(bytes)));
      }
      case ALL, AGREEING, PAIR, UNTIL_EVENT -> List.of(data, data);
      case UNTIL -> {
        ObjectNode whole = JsonNodeFactory.instance.objectNode().put("ids", 2);
        whole.set("data", data);
        yield List.of(whole);
      }
    };
  }

  private @Nullable String choose(Task.Switch choice, Scope scope) {
    String otherwise = null;
    for (Task.Case option : choice.cases()) {
      if (option.when() == null) {
        otherwise = option.then();
      } else if (holds(option.when(), scope)) {
        occurrences.add(Occurrence.CHOSE);
        return option.then();
      }
    }
    return otherwise;
  }

  private JsonNode loop(
      Task.For loop,
      String pointer,
      JsonNode input,
      Strand strand,
      Map<String, JsonNode> variables) {
    Scope outside = working(input, input, variables, strand);
    JsonNode items = value(loop.in(), outside);
    if (!items.isArray()) {
      throw expressionFailed();
    }
    JsonNode current = input;
    for (int i = 0; i < items.size(); i++) {
      Map<String, JsonNode> inside =
          Scope.plus(
              Scope.plus(variables, loop.each(), items.get(i)), loop.at(), IntNode.valueOf(i));
      Scope scope = working(current, input, inside, strand);
      if (loop.condition() != null && !holds(loop.condition(), scope)) {
        occurrences.add(Occurrence.LOOP_CUT);
        return current;
      }
      if (i > 0) {
        occurrences.add(Occurrence.LOOPED);
      }
      current = block(loop.tasks(), pointer + "/do", current, strand, inside);
    }
    return current;
  }

  /** Every item in a branch of its own, which begins when there is a place. */
  private JsonNode parallel(
      Task.Parallel loop,
      String pointer,
      JsonNode input,
      Strand strand,
      Map<String, JsonNode> variables) {
    JsonNode items = value(loop.in(), working(input, input, variables, strand));
    if (!items.isArray()) {
      throw expressionFailed();
    }
    occurrences.add(Occurrence.PARALLEL);
    List<BranchEnd> ends = new ArrayList<>();
    List<List<Made>> made = new ArrayList<>();
    PriorityQueue<Long> freed = new PriorityQueue<>();
    for (int i = 0; i < items.size(); i++) {
      boolean room = loop.most() == 0 || i < loop.most();
      Strand own = new Strand(strand.context, room ? strand.millis : freed.remove());
      Map<String, JsonNode> inside = Scope.plus(variables, loop.each(), items.get(i));
      inside = Scope.plus(inside, Task.LANE, IntNode.valueOf(i));
      int before = calls.size();
      JsonNode output = block(loop.tasks(), pointer + "/with/do", input, own, inside);
      ends.add(new BranchEnd(own, output, null));
      made.add(List.copyOf(calls.subList(before, calls.size())));
      freed.add(own.millis);
    }
    return join(ends, strand, made);
  }

  private JsonNode fork(
      Task.Fork fork,
      String pointer,
      JsonNode input,
      Strand strand,
      Map<String, JsonNode> variables) {
    List<BranchEnd> ends = new ArrayList<>();
    List<List<Made>> made = new ArrayList<>();
    for (int i = 0; i < fork.branches().size(); i++) {
      String place = pointer + "/fork/branches/" + i;
      Strand own = new Strand(strand.context, strand.millis);
      int before = calls.size();
      ends.add(branch(fork.branches().get(i), place, input, own, variables));
      made.add(List.copyOf(calls.subList(before, calls.size())));
    }
    return fork.compete() ? race(ends, strand, made) : join(ends, strand, made);
  }

  private BranchEnd branch(
      Task task, String place, JsonNode input, Strand own, Map<String, JsonNode> variables) {
    try {
      Step step = task(task, place, input, own, variables);
      return "end".equals(step.then)
          ? new BranchEnd(own, null, new WorkflowEnd(step.output))
          : new BranchEnd(own, step.output, null);
    } catch (Fault | WorkflowEnd abrupt) {
      return new BranchEnd(own, null, abrupt);
    }
  }

  /** All outputs in order; the branch that ends more than itself ends the others. */
  private JsonNode join(List<BranchEnd> ends, Strand strand, List<List<Made>> made) {
    occurrences.add(Occurrence.FORKED);
    List<BranchEnd> abrupt = ends.stream().filter(BranchEnd::isAbrupt).toList();
    if (abrupt.size() > 1) {
      throw new Excessive("two branches that end the others");
    }
    for (BranchEnd end : abrupt) {
      occurrences.add(Occurrence.BRANCHES_CANCELLED);
      doubt(made, ends.indexOf(end));
      strand.millis = end.strand.millis;
      ends.stream()
          .filter(other -> !other.equals(end))
          .forEach(other -> takeDoubtful(other, strand));
      take(end, strand);
      throw Objects.requireNonNull(end.abrupt);
    }
    ArrayNode outputs = JsonNodeFactory.instance.arrayNode();
    JsonNode before = strand.context;
    for (BranchEnd end : ends) {
      outputs.add(end.output);
      strand.millis = Math.max(strand.millis, end.strand.millis);
      take(end, strand);
      strand.context = merged(strand.context, before, end.strand.context);
    }
    checked(strand.context);
    return checked(outputs);
  }

  /** The output of the first branch to complete; those that fail are out of the race. */
  private JsonNode race(List<BranchEnd> ends, Strand strand, List<List<Made>> made) {
    occurrences.add(Occurrence.RACED);
    if (ends.stream().anyMatch(end -> end.abrupt instanceof WorkflowEnd)) {
      throw new Excessive("a race that ends the workflow");
    }
    List<BranchEnd> completed =
        ends.stream()
            .filter(end -> !end.isAbrupt())
            .sorted(Comparator.comparingLong(end -> end.strand.millis))
            .toList();
    if (completed.isEmpty()) {
      throw new Excessive("a race that nobody wins");
    }
    BranchEnd winner = completed.getFirst();
    long lead = winner.strand.millis + CLEAR_LEAD_MILLIS;
    if (completed.size() > 1 && completed.get(1).strand.millis < lead) {
      throw new Excessive("a race without a certain winner");
    }
    doubt(made, ends.indexOf(winner));
    made.forEach(list -> list.forEach(call -> call.possible &= call.begunMillis < lead));
    strand.millis = winner.strand.millis;
    strand.context = winner.strand.context;
    take(winner, strand);
    List<Done> lost = new ArrayList<>();
    for (BranchEnd end : ends) {
      if (!end.equals(winner)) {
        end.strand.done.stream().filter(done -> done.millis < lead).forEach(lost::add);
      }
    }
    lost.forEach(done -> done.certain = false);
    undo(lost, Fault.cancelled(), strand);
    return Objects.requireNonNull(winner.output);
  }

  /** Leaves what a branch has done to the scope around it. */
  private static void take(BranchEnd end, Strand strand) {
    strand.done.addAll(end.strand.done);
    strand.undone.addAll(end.strand.undone);
  }

  /**
   * Leaves what a branch may have done to the scope around it; what it has undone already may have
   * been interrupted.
   */
  private static void takeDoubtful(BranchEnd end, Strand strand) {
    Set<Done> all = new LinkedHashSet<>(end.strand.done);
    all.addAll(end.strand.undone);
    all.forEach(done -> done.certain = false);
    strand.done.addAll(all);
  }

  /** Calls of branches that another one ends may be made or not. */
  private static void doubt(List<List<Made>> made, int certain) {
    for (int i = 0; i < made.size(); i++) {
      if (i != certain) {
        made.get(i).forEach(call -> call.certain = false);
      }
    }
  }

  /** A context with the changes that a branch made to what it began with, member by member. */
  private static JsonNode merged(JsonNode context, JsonNode before, JsonNode after) {
    if (after.equals(before)) {
      return context;
    }
    if (!context.isObject() || !after.isObject()) {
      return after;
    }
    ObjectNode merged = context.deepCopy();
    after
        .properties()
        .forEach(
            member -> {
              if (!member.getValue().equals(before.get(member.getKey()))) {
                merged.set(member.getKey(), member.getValue());
              }
            });
    before
        .properties()
        .forEach(
            member -> {
              if (!after.has(member.getKey())) {
                merged.remove(member.getKey());
              }
            });
    return merged;
  }

  private Step attempt(
      Task.Try attempt,
      String pointer,
      JsonNode input,
      Strand strand,
      Map<String, JsonNode> variables) {
    Task.Catch handler = attempt.handler();
    Task.Retry retry = handler.retry();
    for (int retries = 0; ; retries++) {
      List<Done> outside = strand.done;
      strand.done = new ArrayList<>();
      try {
        JsonNode output = block(attempt.tasks(), pointer + "/try", input, strand, variables);
        if (retries > 0) {
          occurrences.add(Occurrence.RECOVERED);
        }
        leave(strand, outside);
        return new Step(output, null);
      } catch (WorkflowEnd end) {
        leave(strand, outside);
        throw end;
      } catch (Fault fault) {
        List<Done> inside = strand.done;
        strand.done = outside;
        Map<String, JsonNode> seen = Scope.plus(variables, handler.as(), json(fault));
        Scope scope = working(input, input, seen, strand);
        boolean again = takes(attempt, fault, retries, scope, inside, strand);
        if (!undo(inside, fault, strand)) {
          throw fault;
        }
        if (again) {
          occurrences.add(Occurrence.RETRIED);
          strand.millis += delay(Objects.requireNonNull(retry), retries + 1);
        } else if (handler.tasks() != null) {
          JsonNode output = block(handler.tasks(), pointer + "/catch/do", input, strand, seen);
          return new Step(output, handler.then(), seen);
        } else {
          return new Step(input, handler.then(), seen);
        }
      }
    }
  }

  /** Leaves what has completed in a scope to the one around it. */
  private static void leave(Strand strand, List<Done> outside) {
    outside.addAll(strand.done);
    strand.done = outside;
  }

  /**
   * Whether there is another attempt. Throws an error that the try does not take, after leaving
   * what has completed inside to the scope around it.
   */
  private boolean takes(
      Task.Try attempt, Fault fault, int retries, Scope scope, List<Done> inside, Strand strand) {
    Task.Catch handler = attempt.handler();
    Task.Retry retry = handler.retry();
    try {
      if (!catches(handler, fault, scope)) {
        throw fault;
      }
      occurrences.add(Occurrence.CAUGHT);
      boolean again = retry != null && retries < retry.count() && retries(retry, scope);
      if (!again && retry != null && handler.tasks() == null) {
        throw fault;
      }
      return again;
    } catch (Fault outwards) {
      strand.done.addAll(inside);
      throw outwards;
    }
  }

  private boolean catches(Task.Catch handler, Fault fault, Scope scope) {
    return (handler.type() == null || handler.type().equals(fault.type))
        && (handler.status() == 0 || handler.status() == fault.status)
        && (handler.when() == null || holds(handler.when(), scope))
        && (handler.exceptWhen() == null || !holds(handler.exceptWhen(), scope));
  }

  private boolean retries(Task.Retry retry, Scope scope) {
    return retry.when() == null || holds(retry.when(), scope);
  }

  private static long delay(Task.Retry retry, int n) {
    return switch (retry.backoff()) {
      case "linear" -> retry.delayMillis() * n;
      case "exponential" -> retry.delayMillis() << (n - 1);
      default -> retry.delayMillis();
    };
  }

  private static JsonNode json(Fault fault) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("type", fault.type)
        .put("status", fault.status)
        .put("instance", fault.instance);
  }

  private boolean holds(Expr condition, Scope scope) {
    JsonNode value = value(condition, scope);
    return !value.isNull() && !(value.isBoolean() && !value.booleanValue());
  }

  private JsonNode value(Expr expression, Scope scope) {
    try {
      return checked(expression.in(scope));
    } catch (Fault fault) {
      occurrences.add(Occurrence.EXPRESSION_FAILED);
      throw fault;
    }
  }

  private Fault expressionFailed() {
    occurrences.add(Occurrence.EXPRESSION_FAILED);
    return Fault.expression();
  }

  /** Values that double each time would need a long time to compare. */
  private static JsonNode checked(JsonNode value) {
    if (parts(value, MOST_PARTS) < 0) {
      throw new Excessive("too large a value");
    }
    return value;
  }

  /** A number less one for each part of a value; negative when it is too small. */
  private static int parts(JsonNode value, int room) {
    int left = room - 1;
    for (JsonNode part : value) {
      left = left < 0 ? left : parts(part, left);
    }
    return left;
  }
}
