package dev.pinion.oracle;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.oracle.Place.Undoing;
import dev.pinion.oracle.Task.Call.Carrier;
import dev.pinion.oracle.Task.Converse.Way;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Processes at random, from a seed: every kind of task inside every other, small enough to be
 * crashed at each of their steps.
 */
final class RandomDefinition {
  private static final long SPREAD = 0x9e3779b97f4a7c15L;
  private static final int MOST_DEPTH = 3;
  private static final int ALWAYS = 1_000;
  private static final int[] STATUSES = {404, 500, 503};
  private static final List<String> RULES = List.of("every", "after", Schedule.CRON);
  private static final List<String> OVERLAPS = List.of("allow", "skip", "queue");
  private static final List<String> BACKOFFS = List.of("constant", "linear", "exponential");

  private final Random random;
  private final Map<String, Script> scripts = new HashMap<>();
  private int tasksLeft;
  private int names;
  private final List<Definition> children = new ArrayList<>();
  private int branches;

  private RandomDefinition(Random random) {
    this.random = random;
    this.tasksLeft = 4 + random.nextInt(12);
  }

  /** The first process of a seed that is neither endless nor without a certain outcome. */
  static Definition of(long seed) {
    for (long again = 0; ; again++) {
      Definition definition =
          new RandomDefinition(new Random((seed * SPREAD) ^ (again * 7_919))).definition();
      try {
        definition.verdict();
        return definition;
      } catch (Excessive e) {
        // the next one
      }
    }
  }

  private Definition definition() {
    Place place = Place.start(random.nextInt(3) == 0, false, 0, 0, Undoing.PERHAPS);
    Schedule schedule = random.nextInt(6) == 0 ? schedule() : null;
    Expr from = rarely() ? expressions(List.of(), place).value() : null;
    Expr as = rarely() ? expressions(List.of("context"), place).value() : null;
    List<Task> tasks = block(place);
    ObjectNode input = schedule == null ? input() : JsonNodeFactory.instance.objectNode();
    return new Definition("random", input, from, as, tasks, scripts, children, schedule);
  }

  private Schedule schedule() {
    String rule = RULES.get(random.nextInt(RULES.size()));
    boolean overlaps = rule.equals("after") || random.nextBoolean();
    return Schedule.of(rule, overlaps ? null : OVERLAPS.get(random.nextInt(OVERLAPS.size())));
  }

  private ObjectNode input() {
    JsonNodeFactory json = JsonNodeFactory.instance;
    ObjectNode input = json.objectNode().put("n", random.nextInt(20));
    input.set("xs", json.arrayNode().add(random.nextInt(10)).add(random.nextInt(10)));
    input.set("a", json.objectNode().put("n", random.nextInt(5)).put("b", "s1"));
    return input;
  }

  private boolean rarely() {
    return random.nextInt(8) == 0;
  }

  private String name() {
    return "t" + names++;
  }

  /** Expressions of a place; some of them fail where that is allowed. */
  private RandomExpr expressions(List<String> roots, Place place) {
    List<String> all = new ArrayList<>(place.variables());
    all.addAll(roots);
    return new RandomExpr(random, all, place.mayFail() && random.nextInt(3) == 0);
  }

  private RandomExpr raw(Place place) {
    return expressions(List.of("context"), place);
  }

  private RandomExpr inside(Place place) {
    return expressions(List.of("context", "input"), place);
  }

  private List<Task> block(Place place) {
    List<Task> block = new ArrayList<>();
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count && (i == 0 || tasksLeft > 0); i++) {
      block.add(task(place));
    }
    List<String> targets = block.stream().map(Task::name).toList();
    for (int i = 0; i < block.size(); i++) {
      if (random.nextInt(12) == 0) {
        block.set(i, block.get(i).then(target(place, targets, i)));
      }
    }
    if (block.size() > 1 && random.nextInt(4) == 0) {
      int at = random.nextInt(block.size());
      block.add(at, choice(place, targets, at));
    }
    return block;
  }

  /** Target of the flow from a place of a block: seldom backwards, as that may be endless. */
  private String target(Place place, List<String> targets, int at) {
    if (random.nextInt(3) == 0 || targets.isEmpty()) {
      return directive(place);
    }
    int first = random.nextInt(4) == 0 ? 0 : Math.min(at, targets.size() - 1);
    return targets.get(first + random.nextInt(targets.size() - first));
  }

  private String directive(Place place) {
    return switch (random.nextInt(4)) {
      case 0 -> place.mayEnd() ? "end" : "exit";
      case 1 -> "continue";
      default -> "exit";
    };
  }

  private Task choice(Place place, List<String> targets, int at) {
    List<Task.Case> cases = new ArrayList<>();
    for (int i = random.nextInt(2); i >= 0; i--) {
      Expr when = inside(place).condition();
      cases.add(new Task.Case("when" + i, when, target(place, targets, at)));
    }
    if (random.nextBoolean()) {
      cases.add(random.nextInt(cases.size() + 1), otherwise(place, targets, at));
    }
    return decorated(new Task.Switch(cases), place);
  }

  private Task.Case otherwise(Place place, List<String> targets, int at) {
    return new Task.Case("otherwise", null, target(place, targets, at));
  }

  private Task task(Place place) {
    tasksLeft--;
    boolean inner = place.depth() < MOST_DEPTH && tasksLeft > 0;
    return decorated(inner && random.nextInt(5) < 3 ? container(place) : leaf(place), place);
  }

  private Task.Body leaf(Place place) {
    return switch (random.nextInt(15)) {
      case 0, 1 -> new Task.Assign(inside(place).value());
      case 12, 13 -> place.sideBySide() ? call(place) : converse(place);
      case 14 -> place.sideBySide() ? call(place) : emit(place);
      case 2, 3, 4 -> pause(place);
      case 5 -> place.mayFail() ? raise() : call(place);
      default -> call(place);
    };
  }

  private Task.Body emit(Place place) {
    String type = "/b" + place.branch() + "/e" + names;
    return new Task.Emit(type, type, data());
  }

  private ObjectNode data() {
    return JsonNodeFactory.instance.objectNode().put("n", random.nextInt(20));
  }

  /** A listener beside a list of tasks, or beside another process, that emits what it waits for. */
  private Task.Body converse(Place place) {
    Way[] ways = Way.values();
    Way way = ways[random.nextInt(ways.length)];
    if (way == Way.UNTIL_EVENT && place.steady()) {
      way = Way.PAIR; // the end of a former attempt, that another branch has ended, may be left
    }
    boolean apart = random.nextInt(3) == 0;
    String type = "/b" + (apart ? ++branches : place.branch()) + "/e" + names;
    ObjectNode data = data();
    List<Task> told = new ArrayList<>();
    for (String each : told(way, type)) {
      told.add(told(new Task.Emit(each, type, data)));
    }
    Task.Body sender =
        apart
            ? new Task.Run(child(told), random.nextBoolean(), random.nextBoolean(), null, 0, true)
            : new Task.Do(told);
    return new Task.Converse(way, type, data, plain(sender), each(way, place));
  }

  /** Types of the events that a listener waits for, in their order. */
  private static List<String> told(Way way, String type) {
    return switch (way) {
      case ONE, MATCHING, RAW, CORRELATED, ANY -> List.of(type);
      case ALL, AGREEING -> List.of(type, type + "x");
      case UNTIL, PAIR -> List.of(type, type);
      case UNTIL_EVENT -> List.of(type, type, type + "x");
    };
  }

  /** A task that emits, with the data as its output. */
  private Task told(Task.Emit emit) {
    Expr data = new Expr.Path("", List.of("data"), true);
    return new Task(name(), null, null, data, null, null, null, emit);
  }

  /** Tasks for each event, which end by themselves; none for what is read otherwise. */
  private List<Task> each(Way way, Place place) {
    if (way == Way.UNTIL || way == Way.RAW || random.nextBoolean()) {
      return List.of();
    }
    Place own = place.quiet(++branches, false).with(Task.Converse.EVENT);
    Expr heard = new Expr.Path(Task.Converse.EVENT, List.of(), true);
    List<Task> each = new ArrayList<>();
    each.add(plain(new Task.Assign(new Expr.Construct(Map.of("heard", heard)))));
    if (random.nextBoolean()) {
      each.add(plain(call(own)));
    }
    return each;
  }

  private Task.Body container(Place place) {
    return switch (random.nextInt(place.sideBySide() ? 8 : 17)) {
      case 0, 1 -> new Task.Do(block(place.inside()));
      case 2, 3, 4 -> loop(place);
      case 5, 6, 7 -> attempt(place);
      case 8 -> race(place);
      case 9, 10, 11 -> run(place);
      case 12, 13 -> parallel(place);
      default -> fork(place);
    };
  }

  /** Another process; one for which nobody waits calls only services that answer every call. */
  private Task.Body run(Place place) {
    boolean await = random.nextInt(3) != 0;
    Place own =
        Place.start(
            place.mayFail() || !await,
            place.steady() || !await,
            ++branches,
            place.depth() + 1,
            await && place.steady() ? Undoing.NEVER : Undoing.PERHAPS);
    Expr content = random.nextBoolean() ? inside(place).value() : null;
    boolean sleeps = await && place.mayFail() && random.nextInt(4) == 0;
    List<Task> tasks = sleeps ? List.of(plain(sleeper())) : block(own);
    long timeoutMillis = sleeps ? 1 + random.nextInt(5_000) : 0;
    return new Task.Run(
        child(tasks), await, random.nextBoolean(), content, timeoutMillis, !rarely());
  }

  /** Takes so long that it is always ended, perhaps inside of a further process. */
  private Task.Body sleeper() {
    Task.Body never = never();
    return random.nextBoolean()
        ? never
        : new Task.Run(child(List.of(plain(never))), true, random.nextBoolean(), null, 0, true);
  }

  /** Does not end by itself. */
  private Task.Body never() {
    return random.nextBoolean() ? new Task.Wait(Task.FAR_OFF_MILLIS, 0) : new Task.Unheard(0);
  }

  private Definition child(List<Task> tasks) {
    Definition child =
        new Definition(
            "child" + children.size(),
            NullNode.getInstance(),
            null,
            null,
            tasks,
            scripts,
            List.of(),
            null);
    children.add(child);
    return child;
  }

  private Task.Body raise() {
    String type =
        random.nextInt(3) == 0
            ? Fault.standard("runtime")
            : "https://example.com/errors/e" + random.nextInt(2);
    return new Task.Raise(type, 410 + random.nextInt(3));
  }

  private Task.Call call(Place place) {
    String number = place.branch() + (place.sideBySide() ? Task.OF_LANE : "");
    String path = "/b" + number + "/s" + scripts.size();
    int failures = 0;
    if (place.mayFail() && !place.steady()) {
      int kind = random.nextInt(6);
      failures = kind == 0 ? ALWAYS : kind < 4 ? 1 + random.nextInt(3) : 0;
    }
    Script script = new Script(failures, STATUSES[random.nextInt(STATUSES.length)]);
    for (int lane = 0; lane < Expr.MOST_ITEMS; lane++) {
      scripts.put(path.replace(Task.OF_LANE, Integer.toString(lane)), script);
    }
    return new Task.Call(path, random.nextInt(4) == 0 ? null : inside(place).value(), carrier());
  }

  private Carrier carrier() {
    Carrier[] carriers = Carrier.values();
    return random.nextInt(3) == 0 ? carriers[random.nextInt(carriers.length)] : Carrier.HTTP;
  }

  private Task.Body pause(Place place) {
    if (place.mayFail() && random.nextInt(4) == 0) {
      long timeoutMillis = 1L + random.nextInt(5_000);
      return random.nextBoolean()
          ? new Task.Wait(Task.FAR_OFF_MILLIS, timeoutMillis)
          : new Task.Unheard(timeoutMillis);
    }
    return new Task.Wait(random.nextInt(5_000), rarely() ? Task.FAR_OFF_MILLIS : 0);
  }

  private Task.Body loop(Place place) {
    String each = random.nextBoolean() ? "item" : "x";
    String at = random.nextBoolean() ? "index" : "i";
    Place body = place.inside().with(each, at);
    Expr condition = random.nextInt(3) == 0 ? inside(body).condition() : null;
    return new Task.For(each, at, inside(place).items(), condition, block(body));
  }

  private Task.Body parallel(Place place) {
    String each = random.nextBoolean() ? "item" : "x";
    Place body = place.lanes(++branches).with(each, Task.LANE);
    return new Task.Parallel(each, inside(place).items(), random.nextInt(3), block(body));
  }

  private Task.Body fork(Place place) {
    int width = 2 + random.nextInt(2);
    boolean ends = (place.mayFail() || place.mayEnd()) && random.nextBoolean();
    int abrupt = ends ? random.nextInt(width) : -1;
    List<Task> list = new ArrayList<>();
    for (int i = 0; i < width; i++) {
      Place own = i == abrupt ? place.branch(++branches) : place.quiet(++branches, ends);
      Task task = task(own);
      list.add(random.nextInt(10) == 0 ? task.then(directive(own)) : task);
    }
    return new Task.Fork(false, list);
  }

  /** One branch that completes; the others fail, or take so long that they have no chance. */
  private Task.Body race(Place place) {
    int width = 1 + random.nextInt(3);
    int winner = random.nextInt(width);
    List<Task> list = new ArrayList<>();
    for (int i = 0; i < width; i++) {
      list.add(
          i == winner
              ? task(place.quiet(++branches, false))
              : plain(loser(place.quiet(++branches, true))));
    }
    return new Task.Fork(true, list);
  }

  private Task.Body loser(Place place) {
    List<Task> tasks = new ArrayList<>();
    if (random.nextBoolean()) {
      tasks.add(plain(call(place)).undoneBy(compensation(place)));
    }
    if (random.nextInt(3) == 0) {
      tasks.add(plain(raise()));
    } else {
      tasks.add(plain(never()));
      tasks.add(plain(call(place)));
    }
    return new Task.Do(tasks);
  }

  private Task.Body attempt(Place place) {
    boolean filtered = place.mayFail() && random.nextInt(3) == 0;
    Task.Retry retry = random.nextInt(3) == 0 ? null : retry(place);
    boolean gives = retry == null || !place.mayFail();
    String as = random.nextBoolean() ? "error" : "oops";
    Place handling = place.inside().with(as);
    List<Task> body = new ArrayList<>();
    if (random.nextBoolean()) {
      body.add(plain(call(place.tried())).undoneBy(compensation(place.tried())));
    }
    body.addAll(block(place.tried()));
    boolean handles = random.nextInt(3) != 0 || (retry != null && gives);
    List<Task> tasks = handles ? block(handling) : null;
    return new Task.Try(body, handler(place, as, filtered, retry, tasks));
  }

  private Task.Catch handler(
      Place place,
      String as,
      boolean filtered,
      Task.@Nullable Retry retry,
      @Nullable List<Task> tasks) {
    RandomExpr expressions = inside(place.with(as));
    boolean byType = filtered && random.nextBoolean();
    boolean byStatus = filtered && !byType;
    return new Task.Catch(
        byType ? Fault.standard(random.nextBoolean() ? "communication" : "expression") : null,
        byStatus && random.nextBoolean() ? STATUSES[random.nextInt(STATUSES.length)] : 0,
        as,
        filtered && random.nextInt(3) == 0 ? expressions.condition() : null,
        filtered && random.nextInt(3) == 0 ? expressions.condition() : null,
        retry,
        tasks,
        rarely() ? directive(place) : null);
  }

  private Task.Retry retry(Place place) {
    Expr when = rarely() ? inside(place).condition() : null;
    String backoff = BACKOFFS.get(random.nextInt(BACKOFFS.size()));
    long delayMillis = random.nextInt(4) == 0 ? 0 : random.nextInt(2_000);
    return new Task.Retry(1 + random.nextInt(3), delayMillis, backoff, when);
  }

  private Task plain(Task.Body body) {
    return new Task(name(), null, null, null, null, null, null, body);
  }

  /** Tasks that undo a task, or null: calls, which some retry, and errors where they may be. */
  private @Nullable List<Task> compensation(Place place) {
    if (place.undoing() == Undoing.NEVER || random.nextInt(3) != 0) {
      return null;
    }
    Place own = place.compensation();
    List<Task> tasks = new ArrayList<>();
    if (random.nextInt(4) == 0) {
      tasks.add(plain(new Task.Assign(inside(own).value())));
    }
    if (random.nextInt(4) == 0) {
      tasks.add(plain(retried(own)));
    } else {
      tasks.add(plain(own.mayFail() && random.nextInt(4) == 0 ? raise() : call(own)));
    }
    return tasks;
  }

  private Task.Body retried(Place place) {
    Task.Retry retry = new Task.Retry(2, 0, "constant", null);
    List<Task> otherwise = List.of(plain(new Task.Assign(inside(place).value())));
    return new Task.Try(
        List.of(plain(call(place.mayFail(true)))),
        new Task.Catch(null, 0, "oops", null, null, retry, otherwise, null));
  }

  private Task decorated(Task.Body body, Place place) {
    if (body instanceof Task.Emit emit) {
      return told(emit); // the rest of an event is the engine's
    }
    Expr condition = rarely() ? raw(place).condition() : null;
    Expr from = rarely() ? raw(place).value() : null;
    Expr as = random.nextInt(6) == 0 ? inside(place).value() : null;
    Expr export = random.nextInt(4) == 0 ? export(place) : null;
    boolean completes = !(body instanceof Task.Raise);
    List<Task> compensation = completes ? compensation(place) : null;
    return new Task(name(), condition, from, as, export, null, compensation, body);
  }

  /** A context; often the one there is with a member changed, as branches merge by members. */
  private Expr export(Place place) {
    RandomExpr expressions = expressions(List.of("context", "input", "output"), place);
    return random.nextBoolean() ? expressions.extended("context") : expressions.value();
  }
}
