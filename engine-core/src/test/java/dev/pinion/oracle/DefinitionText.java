package dev.pinion.oracle;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes a process in the Open Workflow DSL. */
final class DefinitionText {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** Behind the type of a second event. */
  private static final String OTHER = "x";

  /** Parameter of the content of a call that is no plain HTTP. */
  private static final String ARGUMENTS = "arguments";

  private static final YAMLMapper YAML =
      YAMLMapper.builder()
          .disable(YAMLGenerator.Feature.SPLIT_LINES)
          .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
          .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
          .build();

  private DefinitionText() {}

  static String yaml(Definition definition) {
    ObjectNode text = JSON.objectNode();
    ObjectNode document =
        text.putObject("document")
            .put("dsl", "1.0.3")
            .put("namespace", "oracle")
            .put("name", definition.name())
            .put("version", "1.0.0");
    if (definition.schedule != null) {
      schedule(text, document, definition.schedule);
    }
    step(text, "input", "from", definition.from);
    step(text, "output", "as", definition.as);
    text.set("do", tasks(definition.tasks));
    try {
      return YAML.writeValueAsString(text);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void schedule(ObjectNode text, ObjectNode document, Schedule schedule) {
    ObjectNode hints = JSON.objectNode();
    if (schedule.overlap() != null) {
      hints.put("overlap", schedule.overlap());
    }
    ObjectNode rule = text.putObject("schedule");
    if (schedule.rule().equals(Schedule.CRON)) {
      rule.put(Schedule.CRON, Schedule.TIMES);
      hints.put("timeZone", Schedule.TIME_ZONE);
    } else {
      rule.putObject(schedule.rule()).put("days", Schedule.DAYS);
    }
    if (!hints.isEmpty()) {
      document.putObject("metadata").putObject("pinion").set("schedule", hints);
    }
  }

  private static void step(ObjectNode at, String name, String key, @Nullable Expr expression) {
    if (expression != null) {
      at.putObject(name).put(key, enclosed(expression));
    }
  }

  private static void put(ObjectNode at, String name, @Nullable Expr expression) {
    if (expression != null) {
      at.put(name, enclosed(expression));
    }
  }

  private static String enclosed(Expr expression) {
    return "${ " + expression.jq() + " }";
  }

  private static ArrayNode tasks(List<Task> tasks) {
    ArrayNode list = JSON.arrayNode();
    for (Task task : tasks) {
      list.addObject().set(task.name(), task(task));
    }
    return list;
  }

  private static ObjectNode task(Task task) {
    ObjectNode text = JSON.objectNode();
    put(text, "if", task.condition());
    step(text, "input", "from", task.from());
    body(text, task.name(), task.body());
    step(text, "output", "as", task.as());
    step(text, "export", "as", task.export());
    if (task.then() != null) {
      text.put("then", task.then());
    }
    if (task.compensation() != null) {
      ObjectNode keys = text.putObject("metadata").putObject("pinion");
      keys.set("compensate", tasks(task.compensation()));
    }
    return text;
  }

  private static void body(ObjectNode text, String name, Task.Body body) {
    switch (body) {
      case Task.Assign assign -> text.set("set", value(assign.value()));
      case Task.Call call -> call(text, call);
      case Task.Emit emit -> emit(text, emit);
      case Task.Run run -> run(text, run);
      case Task.Do block -> text.set("do", tasks(block.tasks()));
      case Task.For loop -> loop(text, loop);
      case Task.Parallel loop -> parallel(text, loop);
      case Task.Fork fork ->
          text.putObject("fork")
              .put("compete", fork.compete())
              .set("branches", tasks(fork.branches()));
      case Task.Try attempt -> {
        text.set("try", tasks(attempt.tasks()));
        handler(text.putObject("catch"), attempt.handler());
      }
      case Task.Raise raise ->
          text.putObject("raise")
              .putObject("error")
              .put("type", raise.type())
              .put("status", raise.status())
              .put("title", "raised");
      case Task.Wait wait -> {
        text.set("wait", duration(wait.millis()));
        if (wait.timeoutMillis() > 0) {
          text.putObject("timeout").set("after", duration(wait.timeoutMillis()));
        }
      }
      case Task.Unheard unheard -> {
        text.putObject("listen").putObject("to").set("one", filter("nobody"));
        if (unheard.timeoutMillis() > 0) {
          text.putObject("timeout").set("after", duration(unheard.timeoutMillis()));
        }
      }
      case Task.Converse converse -> converse(text, name, converse);
      case Task.Switch choice -> cases(text.putArray("switch"), choice);
    }
  }

  /** Writes a fork of a listener and of what it listens to. */
  private static void converse(ObjectNode text, String name, Task.Converse converse) {
    ArrayNode branches = text.putObject("fork").putArray("branches");
    ObjectNode listener = branches.addObject().putObject(name + "l");
    listen(listener, converse);
    if (!converse.each().isEmpty()) {
      listener
          .putObject("foreach")
          .put("item", Task.Converse.EVENT)
          .set("do", tasks(converse.each()));
    }
    Task sender = converse.sender();
    branches.addObject().set(sender.name(), task(sender));
  }

  private static void listen(ObjectNode listener, Task.Converse converse) {
    ObjectNode listen = listener.putObject("listen");
    ObjectNode to = listen.putObject("to");
    String type = converse.type();
    switch (converse.way()) {
      case ONE -> to.set("one", filter(type));
      case MATCHING -> {
        ObjectNode filter = JSON.objectNode();
        filter
            .putObject("with")
            .put("type", type)
            .put("data", "${ .n == " + converse.data().get("n") + " }");
        to.set("one", filter);
      }
      case RAW -> {
        to.set("one", filter(type));
        listen.put("read", "raw");
      }
      case CORRELATED -> {
        ObjectNode filter = filter(type);
        correlation(filter).put("expect", type);
        to.set("one", filter);
      }
      case ANY -> to.putArray("any").add(filter(type + OTHER)).add(filter(type));
      case ALL -> to.putArray("all").add(filter(type + OTHER)).add(filter(type));
      case AGREEING -> {
        ArrayNode all = to.putArray("all");
        for (String each : List.of(type, type + OTHER)) {
          ObjectNode filter = filter(each);
          correlation(filter);
          all.add(filter);
        }
      }
      case UNTIL -> {
        to.put("until", "${ length == 2 }").putArray("any").add(filter(type));
        listen.put("read", "envelope");
        listener
            .putObject("output")
            .put("as", "[{ids: (map(.id) | unique | length), data: .[1].data}]");
      }
      case PAIR -> to.put("until", "${ length == 2 }").putArray("any").add(filter(type));
      case UNTIL_EVENT -> {
        to.putObject("until").set("one", filter(type + OTHER));
        to.putArray("any").add(filter(type));
      }
    }
  }

  private static ObjectNode correlation(ObjectNode filter) {
    return filter.putObject("correlate").putObject("who").put("from", ".subject");
  }

  private static ObjectNode filter(String type) {
    ObjectNode filter = JSON.objectNode();
    filter.putObject("with").put("type", type);
    return filter;
  }

  private static void emit(ObjectNode text, Task.Emit emit) {
    text.putObject("emit")
        .putObject("event")
        .putObject("with")
        .put("type", emit.type())
        .put("subject", emit.subject())
        .set("data", emit.data());
  }

  /** Writes an object as a template, anything else as an expression. */
  private static JsonNode value(Expr expression) {
    if (!(expression instanceof Expr.Construct construct)) {
      return JSON.textNode(enclosed(expression));
    }
    ObjectNode template = JSON.objectNode();
    construct.members().forEach((name, member) -> template.put(name, enclosed(member)));
    return template;
  }

  private static void call(ObjectNode text, Task.Call call) {
    String uri = "http://service" + call.path();
    switch (call.carrier()) {
      case HTTP -> http(text, call, JSON.textNode(uri));
      case TOKEN -> http(text, call, authenticated(uri));
      case PROGRAM -> program(text, call);
      case MCP -> {
        ObjectNode with = text.put("call", "mcp").putObject("with").put("method", "tools/call");
        parameters(with, call).put("name", "ask");
        with.putObject("transport").putObject("http").put("endpoint", uri);
      }
      case AGENT -> {
        ObjectNode with = text.put("call", "a2a").putObject("with").put("method", "tasks/get");
        parameters(with, call).put("id", "task");
        with.put("server", uri);
      }
    }
  }

  private static void http(ObjectNode text, Task.Call call, JsonNode endpoint) {
    ObjectNode with = text.put("call", "http").putObject("with");
    with.put("method", call.content() == null ? "get" : "post");
    with.set("endpoint", endpoint);
    if (call.content() != null) {
      with.set("body", value(call.content()));
    }
  }

  private static ObjectNode authenticated(String uri) {
    ObjectNode endpoint = JSON.objectNode().put("uri", uri);
    ObjectNode policy =
        endpoint
            .putObject("authentication")
            .putObject("oauth2")
            .put("authority", "http://issuer")
            .put("grant", "client_credentials");
    policy.putObject("client").put("id", "engine").put("secret", "s3cret");
    return endpoint;
  }

  /** A program that is told the path by an argument. */
  private static void program(ObjectNode text, Task.Call call) {
    String path = call.path();
    String argument =
        path.contains(Task.OF_LANE)
            ? "${ \"" + path.replace(Task.OF_LANE, "\\($" + Task.LANE + ")") + "\" }"
            : path;
    ObjectNode shell = text.putObject("run").putObject("shell").put("command", "ask \"$1\"");
    shell.putArray("arguments").add(argument);
    if (call.content() != null) {
      shell.set("stdin", value(call.content()));
    }
  }

  private static ObjectNode parameters(ObjectNode with, Task.Call call) {
    ObjectNode parameters = with.putObject("parameters");
    if (call.content() != null) {
      parameters.set(ARGUMENTS, value(call.content()));
    }
    return parameters;
  }

  private static void run(ObjectNode text, Task.Run run) {
    ObjectNode process = text.putObject("run");
    ObjectNode workflow =
        process.putObject("workflow").put("namespace", "oracle").put("name", run.child().name());
    if (run.versioned()) {
      workflow.put("version", "1.0.0");
    }
    if (run.content() != null) {
      workflow.set("input", value(run.content()));
    }
    if (!run.await()) {
      process.put("await", false);
    }
    if (!run.returns()) {
      process.put("return", "none");
    }
    if (run.timeoutMillis() > 0) {
      text.putObject("timeout").set("after", duration(run.timeoutMillis()));
    }
  }

  private static void loop(ObjectNode text, Task.For loop) {
    text.putObject("for")
        .put("each", loop.each())
        .put("at", loop.at())
        .put("in", enclosed(loop.in()));
    put(text, "while", loop.condition());
    text.set("do", tasks(loop.tasks()));
  }

  private static void parallel(ObjectNode text, Task.Parallel loop) {
    ObjectNode with =
        text.put("call", "parallelForEach:1.0.0@default")
            .putObject("with")
            .put("each", loop.each())
            .put("at", Task.LANE)
            .put("in", enclosed(loop.in()));
    if (loop.most() > 0) {
      with.put("maxConcurrency", loop.most());
    }
    with.set("do", tasks(loop.tasks()));
  }

  private static void handler(ObjectNode text, Task.Catch handler) {
    if (handler.type() != null || handler.status() != 0) {
      ObjectNode with = text.putObject("errors").putObject("with");
      if (handler.type() != null) {
        with.put("type", handler.type());
      }
      if (handler.status() != 0) {
        with.put("status", handler.status());
      }
    }
    text.put("as", handler.as());
    put(text, "when", handler.when());
    put(text, "exceptWhen", handler.exceptWhen());
    if (handler.retry() != null) {
      retry(text.putObject("retry"), handler.retry());
    }
    if (handler.tasks() != null) {
      text.set("do", tasks(handler.tasks()));
    }
    if (handler.then() != null) {
      text.put("then", handler.then());
    }
  }

  private static void retry(ObjectNode text, Task.Retry retry) {
    put(text, "when", retry.when());
    text.set("delay", duration(retry.delayMillis()));
    text.putObject("backoff").putObject(retry.backoff());
    text.putObject("limit").putObject("attempt").put("count", retry.count());
  }

  private static ObjectNode duration(long millis) {
    return JSON.objectNode().put("milliseconds", millis);
  }

  private static void cases(ArrayNode text, Task.Switch choice) {
    for (Task.Case option : choice.cases()) {
      ObjectNode keys = text.addObject().putObject(option.name());
      put(keys, "when", option.when());
      keys.put("then", option.then());
    }
  }
}
