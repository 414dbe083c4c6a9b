package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.CompiledTasks.graph;
import static dev.pinion.core.kernel.CompiledTasks.listen;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.EventEmission;
import dev.pinion.core.model.instance.HistoryEvent.EventKind;
import dev.pinion.core.model.instance.InstanceState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tasks that listen and emit, by hand. */
class ListenTaskTest {
  @RegisterExtension final KernelHarness kernel = new KernelHarness();

  private InstanceId start(ProcessGraph graph, String input) {
    return kernel.start(graph, PostedEvents.json(input));
  }

  private void post(String type, String data) {
    kernel.events.post(type, data);
    kernel.settle();
  }

  private void assertOutput(String expected, InstanceId id) {
    assertEquals(PostedEvents.json(expected), kernel.output(id));
  }

  private void assertWaits(InstanceId id) {
    assertEquals(InstanceState.WAITING, kernel.state(id));
  }

  @Test
  void shouldEndWithTheOneEventOfItsType() {
    InstanceId id = start(listen("{one: {with: {type: started}}}"), "{}");
    assertWaits(id);

    post("stopped", "{'n':1}");
    assertWaits(id);
    post("started", "{'n':2}");

    assertOutput("[{'n':2}]", id);
    post("started", "{'n':3}");
    assertEquals(1, kernel.kernel().counters().listening().matches());
    assertEquals(0, kernel.kernel().counters().listening().listeners());
  }

  @Test
  void shouldNotHearWhatCameBeforeItBegan() {
    post("started", "1");
    InstanceId id = start(listen("{one: {with: {type: started}}}"), "{}");
    assertWaits(id);
    post("started", "2");
    assertOutput("[2]", id);
  }

  @Test
  void shouldTellTheEventAsOneStepInHistory() {
    InstanceId id = start(listen("{one: {with: {type: started}}}"), "{}");
    post("started", "2");
    assertOutput("[2]", id);
    List<String> told =
        kernel.happenings.stream()
            .filter(each -> each.kind().name().startsWith("EVENT_"))
            .map(each -> each.kind() + " " + each.detail())
            .toList();
    assertEquals(
        List.of(
            "EVENT_AWAITED null",
            "EVENT_CONSUMED started, source /test, id e1",
            "EVENT_CORRELATED null"),
        told);
  }

  @Test
  void shouldGiveAnEventToEveryInstanceThatListens() {
    ProcessGraph graph = listen("{one: {with: {type: started}}}");
    InstanceId first = start(graph, "{}");
    InstanceId second = start(graph, "{}");
    post("started", "2");
    assertOutput("[2]", first);
    assertOutput("[2]", second);
  }

  @Test
  void shouldAwaitOneEventForEachFilterOfAll() {
    InstanceId id = start(listen("{all: [{with: {type: a}}, {with: {type: b}}]}"), "{}");
    post("b", "1");
    post("b", "2");
    assertWaits(id);
    post("a", "3");
    assertOutput("[1,3]", id);
  }

  @Test
  void shouldUseOneEventForOneFilterOfAll() {
    InstanceId id = start(listen("{all: [{with: {type: a}}, {with: {source: /test}}]}"), "{}");
    post("a", "1");
    assertWaits(id);
    post("x", "2");
    assertOutput("[1,2]", id);
  }

  @Test
  void shouldEndAtOnceWhenAllAreNone() {
    assertOutput("[]", start(listen("{all: []}"), "{}"));
    ProcessGraph end = graph("end", "  - hear:\n      listen: {to: {any: [], until: {all: []}}}\n");
    assertOutput("[]", start(end, "{}"));
  }

  @Test
  void shouldTakeTheFirstOfAny() {
    InstanceId id = start(listen("{any: [{with: {type: a}}, {with: {type: b}}]}"), "{}");
    post("c", "1");
    post("b", "2");
    assertOutput("[2]", id);
  }

  @Test
  void shouldTakeAnyEventWhenNoneIsNamed() {
    InstanceId id = start(listen("{any: []}"), "{}");
    post("whatever", "'x'");
    assertOutput("['x']", id);
  }

  @Test
  void shouldListenUntilAConditionHolds() {
    InstanceId id = start(listen("{any: [], until: '( . | length ) > 2'}"), "{}");
    post("a", "1");
    post("b", "2");
    assertWaits(id);
    post("c", "3");
    post("d", "4");
    assertOutput("[1,2,3]", id);
  }

  @Test
  void shouldListenUntilAnEventThatDoesNotCount() {
    InstanceId id = start(listen("{any: [], until: {one: {with: {type: stop}}}}"), "{}");
    post("a", "1");
    post("b", "2");
    post("stop", "3");
    assertOutput("[1,2]", id);
  }

  @Test
  void shouldListenUntilAllEventsOfTheEnd() {
    InstanceId id =
        start(
            listen(
                "{any: [{with: {type: a}}], until: {all: [{with: {type: x}}, {with: {type: y}}]}}"),
            "{}");
    post("x", "0");
    post("a", "1");
    post("x", "0");
    post("a", "2");
    post("y", "0");
    assertOutput("[1,2]", id);
  }

  @Test
  void shouldFilterByData() {
    InstanceId id =
        start(
            listen(
                "{any: [{with: {type: temperature, data: '${ .celsius > 38 }'}},"
                    + " {with: {type: pulse, data: '${ .bpm < 60 or .bpm > 100 }'}}]}"),
            "{}");
    post("temperature", "{'celsius':37}");
    post("pulse", "{'bpm':80}");
    post("pulse", "'not an object'");
    assertWaits(id);
    post("pulse", "{'bpm':120}");
    assertOutput("[{'bpm':120}]", id);
    assertTrue(kernel.kernel().counters().listening().failures() > 0, "the text has no bpm");
  }

  @Test
  void shouldFilterByDataThatDependOnTheInstance() {
    ProcessGraph graph =
        listen("{one: {with: {type: paid, data: '${ .order == $context.order }'}}}");
    InstanceId first = start(graph, "{'order':1}");
    InstanceId second = start(graph, "{'order':2}");
    post("paid", "{'order':2}");
    assertWaits(first);
    assertOutput("[{'order':2}]", second);
    post("paid", "{'order':1}");
    assertOutput("[{'order':1}]", first);
  }

  @Test
  void shouldFilterByPartsOfTheData() {
    InstanceId id =
        start(
            listen("{one: {with: {type: paid, data: {order: '${ .order }', by: {name: Ada}}}}}"),
            "{'order':7}");
    post("paid", "{'order':7,'by':{'name':'Bob'}}");
    post("paid", "{'order':8,'by':{'name':'Ada'}}");
    assertWaits(id);
    post("paid", "{'order':7.0,'by':{'name':'Ada','age':36},'n':1}");
    assertOutput("[{'order':7.0,'by':{'name':'Ada','age':36},'n':1}]", id);
  }

  @Test
  void shouldFilterByAttributes() {
    InstanceId id =
        start(
            listen(
                "{one: {with: {type: 'shop\\.order\\..*', source: /shop, subject: '${ .order }',"
                    + " priority: 3}}}"),
            "{'order':'o-1'}");
    kernel.events.postWith("'type':'shop.order.paid','source':'/shop','subject':'o-1'");
    kernel.events.postWith(
        "'type':'shop.order.paid','source':'/shop','subject':'o-2','priority':3");
    kernel.events.postWith("'type':'shop.orders','source':'/shop','subject':'o-1','priority':3");
    kernel.settle();
    assertWaits(id);
    kernel.events.postWith(
        "'type':'shop.order.paid','source':'/shop','subject':'o-1','priority':'3','data':1");
    kernel.settle();
    assertOutput("[1]", id);
  }

  @Test
  void shouldCorrelateWithWhatIsExpected() {
    ProcessGraph graph =
        listen(
            "{one: {with: {type: paid}, correlate: {order: {from: .data.order, expect: '${ .order"
                + " }'}}}}");
    InstanceId first = start(graph, "{'order':'1'}");
    InstanceId second = start(graph, "{'order':2}");
    post("paid", "{'order':2}");
    assertOutput("[{'order':2}]", second);
    assertWaits(first);
    post("paid", "{}");
    post("paid", "{'order':1.0}");
    assertOutput("[{'order':1.0}]", first);
  }

  @Test
  void shouldCorrelateWithTheFirstEvent() {
    String filter = "{with: {type: %s}, correlate: {room: {from: .room}}}";
    InstanceId id =
        start(
            listen(
                "{all: ["
                    + filter.formatted("temperature")
                    + ", "
                    + filter.formatted("humidity")
                    + "]}"),
            "{}");
    kernel.events.postWith("'type':'temperature','data':0");
    kernel.events.postWith("'type':'temperature','room':'r1','data':1");
    kernel.events.postWith("'type':'humidity','room':'r2','data':2");
    kernel.settle();
    assertWaits(id);
    kernel.events.postWith("'type':'humidity','room':'r1','data':3");
    kernel.settle();
    assertOutput("[1,3]", id);
  }

  /** They are recorded with the event, and held for each listener. */
  @Test
  void shouldCompareValuesOfBoundedLengthOnly() {
    int most = kernel.limits.events().maxAttributeChars();
    String longest = "x".repeat(most);
    ProcessGraph graph =
        listen("{one: {with: {type: a}, correlate: {k: {from: .data.k, expect: .k}}}}");
    InstanceId id = start(graph, "{'k':'" + longest + "'}");
    WorkflowError error = kernel.error(start(graph, "{'k':'" + longest + "x'}"));
    assertTrue(
        String.valueOf(error.detail()).contains("events.maxAttributeChars"), error::toString);
    ProcessGraph fixed =
        graph(
            "fixed",
            """
              - hear:
                  listen: {to: {one: {with: {type: a}, correlate: {k: {from: .data.k}}}}}
            """);
    InstanceId first = start(fixed, "{}");
    post("a", "{'k':'" + longest + "x'}");
    post("a", "{'k':['" + longest + "']}");
    assertWaits(first);
    assertWaits(id);
    post("a", "{'k':'" + longest + "'}");
    assertOutput("[{'k':'" + longest + "'}]", first);
    assertOutput("[{'k':'" + longest + "'}]", id);
  }

  @Test
  void shouldReadTheWholeEventOrItsBytes() {
    ProcessGraph envelope =
        graph("envelope", "  - hear:\n      listen: {to: {any: []}, read: envelope}\n");
    ProcessGraph raw = graph("raw", "  - hear:\n      listen: {to: {any: []}, read: raw}\n");
    InstanceId first = start(envelope, "{}");
    InstanceId second = start(raw, "{}");
    kernel.events.postWith("'type':'t','datacontenttype':'text/plain','data':'hi'");
    kernel.settle();
    assertOutput(
        "[{'specversion':'1.0','source':'/test','id':'e1','type':'t',"
            + "'datacontenttype':'text/plain','data':'hi'}]",
        first);
    assertOutput("['aGk=']", second);
  }

  @Test
  void shouldDoTasksForOneEventAfterTheOther() {
    ProcessGraph graph =
        graph(
            """
              - hear:
                  listen: {to: {any: [], until: '${ length == 2 }'}}
                  foreach:
                    item: event
                    at: i
                    do:
                      - ask:
                          call: http
                          with: {method: post, endpoint: 'http://x/ask', body: '${ $event }'}
                    output: {as: '${ {answer: ., at: $i, event: $event} }'}
                    export: {as: '${ {last: $event, answers: (($context.answers // 0) + 1)} }'}
              - show: {set: {heard: '${ . }', context: '${ $context }'}}
            """);
    InstanceId id = start(graph, "{}");
    post("a", "1");
    post("b", "2");
    post("c", "3");
    assertEquals(1, kernel.calls.size(), "one after the other");
    assertEquals(Payload.of(1), HttpCalls.of(kernel.calls.getFirst()).body());
    kernel.answer("ask", Payload.of("first"));
    assertEquals(Payload.of(2), HttpCalls.of(kernel.calls.getFirst()).body());
    kernel.answer("ask", Payload.of("second"));
    assertOutput(
        "{'heard':[{'answer':'first','at':0,'event':1},{'answer':'second','at':1,'event':2}],"
            + "'context':{'last':2,'answers':2}}",
        id);
  }

  @Test
  void shouldFinishQueuedEventsWhenTheEndComes() {
    ProcessGraph graph =
        graph(
            """
              - hear:
                  listen: {to: {any: [{with: {type: a}}], until: {one: {with: {type: stop}}}}}
                  foreach:
                    do:
                      - ask:
                          call: http
                          with: {method: get, endpoint: 'http://x/ask'}
            """);
    InstanceId id = start(graph, "{}");
    post("a", "1");
    post("a", "2");
    post("stop", "0");
    post("a", "3");
    kernel.answer("ask", Payload.of("x"));
    kernel.answer("ask", Payload.of("y"));
    assertOutput("['x','y']", id);
  }

  @Test
  void shouldTransformEventsWithoutTasks() {
    ProcessGraph graph =
        graph(
            """
              - hear:
                  listen: {to: {any: [], until: '${ length == 2 }'}}
                  foreach: {output: {as: '${ .n }'}, export: {as: '${ [$output] }'}}
                  output: {as: '${ {sum: add, last: $context} }'}
            """);
    InstanceId id = start(graph, "{}");
    post("a", "{'n':1}");
    post("b", "{'n':2}");
    assertOutput("{'sum':3,'last':[2]}", id);
  }

  @Test
  void shouldTimeOut() {
    ProcessGraph graph =
        graph(
            """
              - guarded:
                  try:
                    - hear:
                        timeout: {after: P3D}
                        listen: {to: {one: {with: {type: answer}}}}
                  catch:
                    as: e
                    do:
                      - late: {set: {status: '${ $e.status }'}}
            """);
    InstanceId id = start(graph, "{}");
    kernel.advance(Duration.ofDays(4));
    assertOutput("{'status':408}", id);
    post("answer", "1");
    assertEquals(0, kernel.kernel().counters().listening().listeners());
  }

  @Test
  void shouldStopListeningWhenAnotherBranchWins() {
    ProcessGraph graph =
        graph(
            """
              - race:
                  fork:
                    compete: true
                    branches:
                      - a: {listen: {to: {one: {with: {type: a}}}}}
                      - b: {listen: {to: {one: {with: {type: b}}}}}
            """);
    InstanceId id = start(graph, "{}");
    assertEquals(2, kernel.kernel().counters().listening().listeners());
    post("b", "7");
    assertOutput("[7]", id);
    assertEquals(0, kernel.kernel().counters().listening().listeners());
  }

  @Test
  void shouldQueueEventsWhileSuspended() {
    InstanceId id = start(listen("{any: [], until: '${ length == 2 }'}"), "{}");
    kernel.offerSuspendOrResume(id);
    kernel.settle();
    post("a", "1");
    post("b", "2");
    post("c", "3");
    assertEquals(InstanceState.SUSPENDED, kernel.state(id));
    kernel.offerSuspendOrResume(id);
    kernel.settle();
    assertOutput("[1,2]", id);
  }

  @Test
  void shouldListenAnewInEveryRound() {
    ProcessGraph graph =
        graph(
            """
              - rounds:
                  for: {each: n, in: [1, 2]}
                  do:
                    - hear: {listen: {to: {one: {with: {type: a}}}}}
            """);
    InstanceId id = start(graph, "{}");
    post("a", "1");
    assertWaits(id);
    post("a", "2");
    assertOutput("[2]", id);
  }

  @Test
  void shouldContinueAfterARetryWithItsListeners() {
    ProcessGraph graph =
        graph(
            """
              - both:
                  fork:
                    branches:
                      - hear: {listen: {to: {one: {with: {type: a}}}}}
                      - ask:
                          call: http
                          with: {method: get, endpoint: 'http://x/ask'}
            """);
    InstanceId id = start(graph, "{}");
    kernel.fail("ask", 500);
    assertEquals(InstanceState.FAULTED, kernel.state(id));
    assertEquals(0, kernel.kernel().counters().listening().listeners());
    kernel.offerRetry(id);
    kernel.settle();
    post("a", "5");
    kernel.answer("ask", Payload.of("x"));
    assertOutput("[[5],'x']", id);
  }

  @Test
  void shouldFailWhenNothingIsThereToCorrelateWith() {
    ProcessGraph graph =
        listen("{one: {with: {type: a}, correlate: {k: {from: .id, expect: '${ .missing }'}}}}");
    WorkflowError error = kernel.error(start(graph, "{}"));
    assertEquals(400, error.status());
    assertTrue(String.valueOf(error.detail()).contains("found null"), error::toString);
  }

  @Test
  void shouldEmitAnEventWithAnIdOfItsOwn() {
    ProcessGraph graph =
        graph(
            """
              - tell:
                  emit:
                    event:
                      with:
                        type: order.placed
                        subject: ${ .order }
                        priority: 3
                        data: {order: '${ .order }'}
            """);
    InstanceId id = start(graph, "{'order':'o-1'}");
    EventEmission emission = (EventEmission) kernel.calls.getFirst().call();
    Payload event = emission.event();
    assertEquals(id + "-t0", event.text("id"));
    assertEquals("/v1/namespaces/test/definitions/listen", event.text("source"));
    assertEquals("2023-11-14T22:13:20Z", event.text("time"));
    assertEquals("application/json", event.text("datacontenttype"));
    assertEquals(Payload.of(3), event.member("priority"));
    kernel.answer(kernel.calls.getFirst(), event);
    assertEquals(event, kernel.output(id));
    assertEquals(
        List.of(EventKind.EVENT_EMITTED),
        kernel.happenings.stream()
            .map(each -> each.kind())
            .filter(each -> each.name().startsWith("EVENT_"))
            .toList());
  }

  @Test
  void shouldKeepTheAttributesThatAreGiven() {
    ProcessGraph graph =
        graph(
            """
              - tell:
                  emit:
                    event:
                      with:
                        id: ${ .id }
                        source: https://shop.example/{order}
                        type: ${ "order." + .kind }
                        time: '2026-01-01T00:00:00Z'
                        datacontenttype: text/plain
                        data: hi
            """);
    InstanceId id = start(graph, "{'id':'7','order':'a b','kind':'paid'}");
    Payload event = Objects.requireNonNull(kernel.calls.getFirst().call().body());
    assertEquals(
        PostedEvents.json(
            "{'specversion':'1.0','id':'7','source':'https://shop.example/a%20b',"
                + "'type':'order.paid','time':'2026-01-01T00:00:00Z',"
                + "'datacontenttype':'text/plain','data':'hi'}"),
        event);
    kernel.cancel(id);
  }

  @Test
  void shouldRefuseAttributesThatAreNone() {
    for (Map.Entry<String, String> each :
        Map.of("type: '${ .missing }'", "type", "type: t, time: '${ .now }'", "time").entrySet()) {
      ProcessGraph graph =
          graph(each.getValue(), "  - tell: {emit: {event: {with: {" + each.getKey() + "}}}}\n");
      WorkflowError error = kernel.error(start(graph, "{'now':'later'}"));
      assertTrue(
          String.valueOf(error.detail()).contains("\"" + each.getValue() + "\""), error::toString);
    }
  }
}
