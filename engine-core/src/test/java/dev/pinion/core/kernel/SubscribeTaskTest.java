package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.PostedEvents.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.kernel.replay.RecoveredKernel;
import dev.pinion.core.kernel.replay.TakenSnapshot;
import dev.pinion.core.language.CompilationResult;
import dev.pinion.core.language.WorkflowCompiler;
import dev.pinion.core.language.reference.TextDocuments;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Effect;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.call.MessageSubscription;
import dev.pinion.core.model.call.MessageSubscription.Progress;
import dev.pinion.core.model.instance.InstanceState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tasks that receive messages one by one, from a channel that the test plays. */
class SubscribeTaskTest {
  private static final TextDocuments DOCUMENTS =
      new TextDocuments(
          Map.of(
              "https://a.test/news.yaml",
              """
              asyncapi: 3.0.0
              info: {title: News, version: 1.0.0}
              servers: {broker: {host: nats.test, protocol: nats}}
              channels: {news: {address: news}}
              operations: {follow: {action: send, channel: {$ref: '#/channels/news'}}}
              """));

  @RegisterExtension final KernelHarness kernel = new KernelHarness();

  private static ProcessGraph graph(String tasks) {
    String yaml =
        "document: {dsl: 1.0.3, namespace: test, name: news, version: 1.0.0}\ndo:\n" + tasks;
    CompilationResult result =
        new WorkflowCompiler(EngineLimits.defaults())
            .compile(yaml, "application/yaml", (_, _) -> DOCUMENTS);
    if (result instanceof CompilationResult.Compiled compiled) {
      return compiled.graph();
    }
    throw new AssertionError(result.toString());
  }

  /** The members of a task that subscribes, in flow style. */
  private static String call(String subscription) {
    return "call: asyncapi, with: {document: {endpoint: 'https://a.test/news.yaml'},"
        + " operation: follow, subscription: "
        + subscription
        + "}";
  }

  private static ProcessGraph subscribing(String subscription) {
    return graph("  - hear: {" + call(subscription) + "}\n");
  }

  private InstanceId start(String subscription) {
    return kernel.start(subscribing(subscription), Payload.EMPTY_OBJECT);
  }

  private static MessageSubscription request(Effect.Invoke invoke) {
    return (MessageSubscription) invoke.call();
  }

  /** The only request under way. */
  private MessageSubscription asked() {
    assertEquals(1, kernel.calls.size(), () -> "calls: " + kernel.calls);
    return request(kernel.calls.getFirst());
  }

  private void assertAsked(int received, boolean last) {
    assertEquals(new Progress(received, last), asked().progress());
  }

  private static Payload message(String payload) {
    return json("{'payload':" + payload + "}");
  }

  private void receive(String... payloads) {
    for (String payload : payloads) {
      assertFalse(asked().progress().isLast(), "expected a request for a message");
      kernel.answer(kernel.calls.getFirst(), message(payload));
    }
  }

  /** Answers the last request. */
  private void end() {
    assertTrue(asked().progress().isLast(), "expected the last request");
    kernel.answer(kernel.calls.getFirst(), Payload.NULL);
  }

  private void assertOutput(String expected, InstanceId id) {
    assertEquals(json(expected), kernel.output(id));
  }

  private void assertWaits(InstanceId id) {
    assertEquals(InstanceState.WAITING, kernel.state(id));
  }

  @Test
  void shouldTakeOneMessageAfterTheOther() {
    InstanceId id = start("{consume: {amount: 2}}");
    assertWaits(id);
    assertAsked(0, false);
    receive("1");
    assertWaits(id);
    assertAsked(1, false);
    receive("2");
    assertAsked(2, true);
    end();
    assertOutput("[{'payload':1},{'payload':2}]", id);
  }

  @Test
  void shouldAskUnderOneNameThatItsInstanceHas() {
    InstanceId id = start("{consume: {amount: 2}}");
    String key = asked().key();
    assertTrue(key.startsWith(id.toString()), key);
    receive("1");
    assertEquals(key, asked().key());
    receive("2");
    assertEquals(key, asked().key());
    end();
  }

  @Test
  void shouldDropWhatDoesNotPassTheFilter() {
    InstanceId id = start("{filter: '${ .payload > 1 }', consume: {amount: 1}}");
    receive("1");
    assertAsked(1, false);
    receive("0", "2");
    assertAsked(3, true);
    end();
    assertOutput("[{'payload':2}]", id);
  }

  @Test
  void shouldGoOnWhileAConditionHolds() {
    InstanceId id = start("{consume: {while: '${ .payload < 2 }'}}");
    receive("1", "0", "2");
    end();
    assertOutput("[{'payload':1},{'payload':0},{'payload':2}]", id);
  }

  @Test
  void shouldGoOnUntilAConditionHolds() {
    InstanceId id = start("{consume: {until: '${ .payload == 2 }'}}");
    receive("1", "2");
    end();
    assertOutput("[{'payload':1},{'payload':2}]", id);
  }

  @Test
  void shouldAskForNothingWhereTheEndIsReachedAtOnce() {
    InstanceId id = start("{consume: {until: '${ true }'}}");
    assertEquals(List.of(), kernel.calls);
    assertOutput("[]", id);
  }

  @Test
  void shouldEndWithTheChannel() {
    InstanceId id = start("{consume: {amount: 3}}");
    receive("1");
    kernel.answer(kernel.calls.getFirst(), Payload.NULL);
    assertOutput("[{'payload':1}]", id);
    assertEquals(List.of(), kernel.calls);
  }

  @Test
  void shouldEndWhenItsTimeIsUp() {
    InstanceId id = start("{consume: {amount: 3, for: PT10S}}");
    receive("1");
    kernel.advance(Duration.ofSeconds(9));
    assertWaits(id);
    kernel.advance(Duration.ofSeconds(2));
    assertEquals(1, kernel.aborts.size());
    assertOutput("[{'payload':1}]", id);
  }

  @Test
  void shouldFinishTheTasksForAMessageWhenItsTimeIsUp() {
    InstanceId id =
        start(
            "{consume: {amount: 3, for: PT10S}, foreach: {do: [{ask: {call: http, with: {"
                + "method: get, endpoint: 'http://x/ask'}}}]}}");
    receive("1");
    kernel.advance(Duration.ofSeconds(11));
    kernel.answer("ask", Payload.of("done"));
    end();
    assertOutput("['done']", id);
  }

  @Test
  void shouldDoTasksForOneMessageAfterTheOther() {
    ProcessGraph graph =
        graph(
            """
              - hear:
                  call: asyncapi
                  with:
                    document: {endpoint: 'https://a.test/news.yaml'}
                    operation: follow
                    subscription:
                      consume: {amount: 2}
                      foreach:
                        item: news
                        at: i
                        do:
                          - ask:
                              call: http
                              with:
                                method: post
                                endpoint: http://x/ask
                                body: ${ $news.payload }
                        output: {as: '${ {answer: ., at: $i, news: $news.payload} }'}
                        export:
                          as: '${ {last: $news.payload, answers: (($context.answers // 0) + 1)} }'
              - show: {set: {heard: '${ . }', context: '${ $context }'}}
            """);
    InstanceId id = kernel.start(graph, Payload.EMPTY_OBJECT);
    receive("1");
    HttpCall first = HttpCalls.of(kernel.call("ask"));
    assertEquals(1, kernel.calls.size(), "no message is asked for meanwhile");
    assertEquals(Payload.of(1), first.body());
    kernel.answer("ask", Payload.of("first"));
    receive("2");
    HttpCall second = HttpCalls.of(kernel.call("ask"));
    assertEquals(Payload.of(2), second.body());
    assertNotEquals(first.headers(), second.headers(), "names of the calls");
    kernel.answer("ask", Payload.of("second"));
    end();
    assertOutput(
        "{'heard':[{'answer':'first','at':0,'news':1},{'answer':'second','at':1,'news':2}],"
            + "'context':{'last':2,'answers':2}}",
        id);
  }

  @Test
  void shouldTransformMessagesWithoutTasks() {
    ProcessGraph graph =
        graph(
            "  - hear: {"
                + call(
                    "{consume: {amount: 2}, foreach: {output: {as: '${ .payload }'},"
                        + " export: {as: '${ [$output] }'}}}")
                + ", output: {as: '${ {sum: add, last: $context} }'}}\n");
    InstanceId id = kernel.start(graph, Payload.EMPTY_OBJECT);
    receive("1", "2");
    end();
    assertOutput("{'sum':3,'last':[2]}", id);
  }

  @Test
  void shouldDecideByWhatItsTasksExport() {
    InstanceId id =
        start(
            "{consume: {while: '${ $context < 3 }'}, foreach: {output: {as: '${ .payload }'},"
                + " export: {as: '${ $output }'}}}");
    receive("1", "3");
    end();
    assertOutput("[1,3]", id);
  }

  @Test
  void shouldCheckTheContextThatStays() {
    InstanceId id =
        start(
            "{consume: {amount: 1}, foreach: {export: {schema: {document: {type: object,"
                + " required: [total]}}}}}");
    receive("1");
    assertEquals(400, kernel.error(id).status());
  }

  @Test
  void shouldFailWithTheChannel() {
    InstanceId id = start("{consume: {amount: 2}}");
    receive("1");
    kernel.fail(kernel.calls.getFirst(), 503);
    assertEquals(503, kernel.error(id).status());
  }

  @Test
  void shouldBeginAnewWhenItsInstanceIsRetried() {
    InstanceId id = start("{consume: {amount: 2}}");
    String key = asked().key();
    receive("1");
    kernel.fail(kernel.calls.getFirst(), 503);
    kernel.offerRetry(id);
    kernel.settle();
    assertAsked(0, false);
    assertEquals(key, asked().key());
    receive("2", "3");
    end();
    assertOutput("[{'payload':2},{'payload':3}]", id);
  }

  @Test
  void shouldKeepItsNameThroughADeclaredRetry() {
    ProcessGraph graph =
        graph(
            "  - again:\n      try: [{hear: {"
                + call("{consume: {amount: 1}}")
                + "}}]\n      catch: {retry: {delay: PT1S, limit: {attempt: {count: 1}}}}\n");
    InstanceId id = kernel.start(graph, Payload.EMPTY_OBJECT);
    String key = asked().key();
    kernel.fail(kernel.calls.getFirst(), 503);
    kernel.advance(Duration.ofSeconds(2));
    assertAsked(0, false);
    assertEquals(key, asked().key());
    receive("1");
    end();
    assertOutput("[{'payload':1}]", id);
  }

  @Test
  void shouldHaveANameForEveryRound() {
    ProcessGraph graph =
        graph(
            "  - rounds:\n      for: {each: n, in: [1, 2]}\n      do: [{hear: {"
                + call("{consume: {amount: 1}}")
                + "}}]\n");
    InstanceId id = kernel.start(graph, Payload.EMPTY_OBJECT);
    String first = asked().key();
    receive("1");
    end();
    assertNotEquals(first, asked().key());
    assertAsked(0, false);
    receive("2");
    end();
    assertOutput("[{'payload':2}]", id);
  }

  @Test
  void shouldLoseNothingWhenTheEndFails() {
    InstanceId id = start("{consume: {amount: 1}}");
    receive("1");
    assertAsked(1, true);
    kernel.fail(kernel.calls.getFirst(), 503);
    assertOutput("[{'payload':1}]", id);
  }

  @Test
  void shouldFailWithATaskForAMessage() {
    InstanceId id =
        start(
            "{consume: {amount: 2}, foreach: {do: [{no: {raise: {error: {type: 'https://a.test/no',"
                + " status: 400}}}}]}}");
    receive("1");
    WorkflowError error = kernel.error(id);
    assertEquals(400, error.status());
    assertEquals(List.of(), kernel.calls);
  }

  @Test
  void shouldWithdrawItsRequestWhenItIsCancelled() {
    InstanceId id = start("{consume: {amount: 1}}");
    kernel.cancel(id);
    assertEquals(InstanceState.CANCELLED, kernel.state(id));
    assertEquals(1, kernel.aborts.size());
  }

  @Test
  void shouldWithdrawItsRequestWhenAnotherBranchWins() {
    ProcessGraph graph =
        graph(
            "  - race:\n      fork:\n        compete: true\n        branches: [{hear: {"
                + call("{consume: {amount: 1}}")
                + "}}, {nap: {wait: PT1S}}]\n");
    InstanceId id = kernel.start(graph, Payload.EMPTY_OBJECT);
    kernel.advance(Duration.ofSeconds(2));
    assertOutput("{}", id);
    assertEquals(1, kernel.aborts.size());
  }

  @Test
  void shouldUseAMessageThatCameWhileSuspended() {
    InstanceId id = start("{consume: {amount: 1}}");
    kernel.offerSuspendOrResume(id);
    kernel.settle();
    receive("1");
    assertEquals(List.of(), kernel.calls);
    assertEquals(InstanceState.SUSPENDED, kernel.state(id));
    kernel.offerSuspendOrResume(id);
    kernel.settle();
    end();
    assertOutput("[{'payload':1}]", id);
  }

  @Test
  void shouldTakeNoMoreMessagesThanALoopHasItems() {
    KernelHarness small = new KernelHarness(Map.of("instance.maxItems", 2));
    InstanceId id = small.start(subscribing("{consume: {while: '${ true }'}}"));
    for (int i = 0; i < 3; i++) {
      assertEquals(new Progress(i, false), request(small.calls.getFirst()).progress());
      small.answer(small.calls.getFirst(), message("1"));
    }
    assertTrue(String.valueOf(small.error(id).detail()).contains("instance.maxItems"));
    small.finish();
  }

  @Test
  void shouldTakeNoMoreBytesThanAValueHas() {
    KernelHarness small = new KernelHarness(Map.of("instance.maxPayloadBytes", 1 << 10));
    InstanceId id = small.start(subscribing("{consume: {while: '${ true }'}}"));
    String payload = "'" + "x".repeat(600) + "'";
    small.answer(small.calls.getFirst(), message(payload));
    small.answer(small.calls.getFirst(), message(payload));
    assertTrue(String.valueOf(small.error(id).detail()).contains("instance.maxPayloadBytes"));
    small.finish();
  }

  @Test
  void shouldEvaluateLongConditionsElsewhere() {
    KernelHarness small = new KernelHarness(Map.of("expression.loopSteps", 100));
    InstanceId id =
        small.start(
            subscribing(
                "{filter: '${ .payload > ([range(1000)] | length) }', consume: {while:"
                    + " '${ .payload < ([range(2000)] | length) }'}}"));
    for (String payload : List.of("5", "1500", "3000")) {
      small.answer(small.calls.getFirst(), message(payload));
      while (!small.evaluations.isEmpty()) {
        small.evaluate();
      }
    }
    small.answer(small.calls.getFirst(), Payload.NULL);
    assertEquals(json("[{'payload':1500},{'payload':3000}]"), small.output(id));
    small.finish();
  }

  @Test
  void shouldGoOnAfterACrashWhereTheJournalEnds() {
    InstanceId id = start("{consume: {amount: 2}}");
    receive("1");

    RecoveredKernel recovered = new RecoveredKernel(kernel, kernel.journal.entries(), 1);

    recovered.assertLike(kernel);
    Effect.Invoke again = recovered.calls().getFirst();
    assertEquals(asked().progress(), request(again).progress());
    assertEquals(asked().key(), request(again).key());
    recovered.answer(again, message("2"));
    recovered.answer(recovered.calls().getFirst(), Payload.NULL);
    assertEquals(json("[{'payload':1},{'payload':2}]"), recovered.view(id).output());
  }

  @Test
  void shouldEndAfterACrashBeforeTheLastAnswer() {
    InstanceId id = start("{consume: {amount: 1}}");
    receive("1");

    RecoveredKernel recovered = new RecoveredKernel(kernel, kernel.journal.entries(), 1);

    Effect.Invoke again = recovered.calls().getFirst();
    assertEquals(new Progress(1, true), request(again).progress());
    recovered.fail(again);
    assertEquals(json("[{'payload':1}]"), recovered.view(id).output());
  }

  @Test
  void shouldGoOnFromASnapshotBetweenMessages() {
    InstanceId id = start("{consume: {amount: 3}}");
    receive("1", "2");

    RecoveredKernel recovered = restored();

    recovered.assertLike(kernel);
    recovered.answer(recovered.calls().getFirst(), message("3"));
    recovered.answer(recovered.calls().getFirst(), Payload.NULL);
    assertEquals(json("[{'payload':1},{'payload':2},{'payload':3}]"), recovered.view(id).output());
  }

  @Test
  void shouldGoOnFromASnapshotAmidTheTasksForAMessage() {
    InstanceId id =
        start(
            "{consume: {amount: 1}, foreach: {do: [{nap: {wait: PT10S}}, {show: {set: {got:"
                + " '${ $item.payload }', at: '${ $index }'}}}]}}");
    receive("7");

    RecoveredKernel recovered = restored();

    recovered.advance(Duration.ofSeconds(11));
    Effect.Invoke last = recovered.calls().getFirst();
    assertEquals(new Progress(1, true), request(last).progress());
    recovered.answer(last, Payload.NULL);
    assertEquals(json("[{'got':7,'at':0}]"), recovered.view(id).output());
  }

  private RecoveredKernel restored() {
    return new RecoveredKernel(
        kernel, TakenSnapshot.of(kernel.kernel()), List.of(), (_, _, _) -> {}, 1);
  }
}
