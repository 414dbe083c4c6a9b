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
  private static final YAMLMapper YAML =
      YAMLMapper.builder()
          .disable(YAMLGenerator.Feature.SPLIT_LINES)
          .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
          .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
          .build();

  private DefinitionText() {}

  static String yaml(Definition definition) {
    ObjectNode text = JSON.objectNode();
    text.putObject("document")
        .put("dsl", "1.0.3")
        .put("namespace", "oracle")
        .put("name", definition.name())
        .put("version", "1.0.0");
    step(text, "input", "from", definition.from);
    step(text, "output", "as", definition.as);
    text.set("do", tasks(definition.tasks));
    try {
      return YAML.writeValueAsString(text);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
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
    return text;
  }

  private static void body(ObjectNode text, String name, Task.Body body) {
    switch (body) {
      case Task.Assign assign -> text.set("set", value(assign.value()));
      case Task.Call call -> call(text, call);
      case Task.Run run -> run(text, run);
      case Task.Do block -> text.set("do", tasks(block.tasks()));
      case Task.For loop -> loop(text, loop);
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
      case Task.Converse converse -> converse(text, name, converse);
      case Task.Switch choice -> cases(text.putArray("switch"), choice);
    }
  }

  /** Writes a fork of a listener and of what it listens to. */
  private static void converse(ObjectNode text, String name, Task.Converse converse) {
    ArrayNode branches = text.putObject("fork").putArray("branches");
    ObjectNode listener = branches.addObject().putObject(name + "l");
    ObjectNode to = listener.putObject("listen").putObject("to");
    ArrayNode emits = JSON.arrayNode();
    emits.add(emit(name + "e", name, converse.data()));
    switch (converse.way()) {
      case ONE -> to.set("one", filter(name));
      case CORRELATED ->
          ((ObjectNode) to.set("one", filter(name)).get("one"))
              .putObject("correlate")
              .putObject("who")
              .put("from", ".subject")
              .put("expect", name);
      case ALL -> {
        to.putArray("all").add(filter(name + "x")).add(filter(name));
        emits.add(emit(name + "f", name + "x", converse.data()));
      }
      case UNTIL -> {
        to.put("until", "${ length == 2 }").putArray("any").add(filter(name));
        ((ObjectNode) listener.get("listen")).put("read", "envelope");
        listener
            .putObject("output")
            .put("as", "[{ids: (map(.id) | unique | length), data: .[1].data}]");
        emits.add(emit(name + "f", name, converse.data()));
      }
      case EACH -> {
        to.set("one", filter(name));
        listener
            .putObject("foreach")
            .put("item", "event")
            .putArray("do")
            .addObject()
            .putObject(name + "d")
            .putObject("set")
            .put("heard", "${ $event }");
      }
    }
    branches.addObject().putObject(name + "s").set("do", emits);
  }

  private static ObjectNode filter(String type) {
    ObjectNode filter = JSON.objectNode();
    filter.putObject("with").put("type", type);
    return filter;
  }

  private static ObjectNode emit(String task, String type, JsonNode data) {
    ObjectNode item = JSON.objectNode();
    ObjectNode text = item.putObject(task);
    text.putObject("emit")
        .putObject("event")
        .putObject("with")
        .put("type", type)
        .put("subject", type)
        .set("data", data);
    text.putObject("output").put("as", ".data");
    return item;
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
    ObjectNode with = text.put("call", "http").putObject("with");
    with.put("method", call.content() == null ? "get" : "post");
    with.put("endpoint", "http://service" + call.path());
    if (call.content() != null) {
      with.set("body", value(call.content()));
    }
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
