package dev.pinion.core.language.call;

import static dev.pinion.core.jq.Expressions.budget;
import static dev.pinion.core.jq.Expressions.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.document.DocumentReader;
import dev.pinion.core.graph.EventIteration;
import dev.pinion.core.graph.MessageConsumption;
import dev.pinion.core.graph.Node;
import dev.pinion.core.language.CompilationResult;
import dev.pinion.core.language.WorkflowCompiler;
import dev.pinion.core.language.reference.TextDocuments;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.PinnedDocument;
import dev.pinion.core.model.Scope;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.call.MessageLocation;
import dev.pinion.core.model.call.MessageOptions;
import dev.pinion.core.model.call.MessageProtocol;
import dev.pinion.core.model.call.MessagePublish;
import dev.pinion.core.model.call.MessageServer;
import dev.pinion.core.model.call.MessageSubscription;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code call: asyncapi} may say, and what documents may say. */
class AsyncApiCallCompilerTest {
  private static final String SECOND =
      """
      asyncapi: 2.6.0
      info: {title: Orders, version: 1.0.0}
      defaultContentType: application/cloudevents+json
      servers:
        live:
          url: '{region}.nats.test:{port}'
          protocol: nats
          variables: {region: {default: eu, enum: [eu, us]}, port: {description: no default}}
        staging: {url: 'nats://staging.test', protocol: nats}
        bus: {url: 'kafka.test:9092', protocol: kafka}
        web: {url: 'http://web.test/api', protocol: http}
      channels:
        orders:
          servers: [bus, staging, live]
          publish: {operationId: placeOrder, message: {$ref: '#/components/messages/order'}}
        orders/placed:
          servers: [web]
          subscribe:
            operationId: orderPlaced
            message: {oneOf: [{contentType: a/b}, {contentType: c/d}]}
      components:
        messages: {order: {payload: {type: object}}}
      """;

  private static final String THIRD =
      """
      asyncapi: 3.0.0
      info: {title: Orders, version: 1.0.0}
      servers:
        broker: {host: 'nats.test:4222', protocol: nats}
        bus: {host: 'kafka.test:9092', protocol: kafka}
        web:
          host: '{region}.web.test'
          pathname: /v1
          protocol: https
          variables: {region: {default: eu, enum: [eu, us]}}
        things: {host: mqtt.test, protocol: secure-mqtt, protocolVersion: '5.0'}
        queues: {host: amqp.test, pathname: /shop, protocol: amqp}
      channels:
        orders:
          address: orders.{customer}
          servers: [{$ref: '#/servers/broker'}, {$ref: '#/servers/web'}]
          parameters: {customer: {location: '$message.payload#/customer/id', default: nobody}}
          messages: {order: {$ref: '#/components/messages/order'}}
        readings:
          address: readings/{thing}
          servers: [{$ref: '#/servers/things'}]
          parameters: {thing: {location: '$message.payload#/thing'}}
          messages: {reading: {payload: {type: object}}}
        loose: {address: 'loose/{x}', servers: [{$ref: '#/servers/things'}]}
        events: {address: created, servers: [{$ref: '#/servers/bus'}]}
        payments:
          address: paid
          servers: [{$ref: '#/servers/queues'}]
          bindings: {amqp: {is: routingKey, exchange: {name: shop}}}
        jobs:
          address: jobs
          servers: [{$ref: '#/servers/queues'}]
          bindings: {amqp: {is: queue, queue: {name: work}}}
        unchecked:
          address: unchecked
          messages: {any: {payload: {properties: {a: {$ref: 'https://a.test/elsewhere.json'}}}}}
        nowhere: {description: without address}
      operations:
        takeOrder: {action: receive, channel: {$ref: '#/channels/orders'}}
        tellOrders: {action: send, channel: {$ref: '#/channels/orders'}}
        measure:
          action: receive
          channel: {$ref: '#/channels/readings'}
          bindings: {mqtt: {qos: 2, retain: true}}
        work:
          action: send
          channel: {$ref: '#/channels/jobs'}
        lost: {action: receive, channel: {$ref: '#/channels/missing'}}
        round: {$ref: '#/operations/round'}
        elsewhere: {action: receive, channel: {$ref: 'other.yaml#/channels/x'}}
        idle: {action: receive}
      components:
        messages:
          order:
            contentType: application/json
            correlationId: {location: '$message.header#/trace'}
            payload:
              type: object
              required: [customer]
              properties: {customer: {$ref: '#/components/schemas/customer'}}
        schemas: {customer: {type: object, required: [id]}}
      """;

  private static final Map<String, String> DOCUMENTS =
      Map.of(
          "https://a.test/second.yaml",
          SECOND,
          "https://a.test/third.yaml",
          THIRD,
          "https://a.test/first.yaml",
          "asyncapi: 1.2.0",
          "https://a.test/none.json",
          "{\"openapi\": \"3.1.0\"}");

  private static CompilationResult compile(String document, String with) {
    String yaml =
        """
        document: {dsl: 1.0.3, namespace: test, name: messages, version: 1.0.0}
        do:
          - tell:
              call: asyncapi
              with: {document: {endpoint: 'https://a.test/%s'}%s}
        """
            .formatted(document, with.isEmpty() ? "" : ", " + with);
    return new WorkflowCompiler(EngineLimits.defaults())
        .compile(yaml, DocumentReader.YAML, (_, _) -> new TextDocuments(DOCUMENTS));
  }

  private static CompilationResult.Compiled compiled(String document, String with) {
    CompilationResult result = compile(document, with);
    return assertInstanceOf(CompilationResult.Compiled.class, result, result::toString);
  }

  private static Node task(String document, String with) {
    return compiled(document, with).graph().body().tasks().getFirst();
  }

  private static Object call(String document, String with, String input) {
    Node.Call task = assertInstanceOf(Node.Call.class, task(document, with));
    return task.call().evaluate(json(input), Scope.EMPTY, budget());
  }

  private static MessagePublish message(String document, String with, String input) {
    return assertInstanceOf(MessagePublish.class, call(document, with, input));
  }

  private static MessageSubscription subscription(String document, String with) {
    Node.Subscribe task = assertInstanceOf(Node.Subscribe.class, task(document, with));
    return task.source().evaluate(Payload.EMPTY_OBJECT, Scope.EMPTY, budget());
  }

  private static List<String> problems(String document, String with) {
    return assertInstanceOf(CompilationResult.Rejected.class, compile(document, with))
        .problems()
        .stream()
        .map(Diagnostic::toString)
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "second|channel: orders|nats channel \"orders\" at staging.test:4222",
        "second|operation: placeOrder|nats channel \"orders\" at staging.test:4222",
        "second|channel: orders, server: {name: live, variables: {port: 4223}}|nats channel \"orders\" at eu.nats.test:4223",
        "second|channel: orders, server: {name: live, variables: {port: '${ .port }', region: us}}|nats channel \"orders\" at us.nats.test:4224",
        "third|operation: takeOrder|nats channel \"orders.ada\" at nats.test:4222",
        "third|channel: orders|nats channel \"orders.ada\" at nats.test:4222",
        "third|channel: orders, protocol: nats|nats channel \"orders.ada\" at nats.test:4222",
        "third|channel: readings|mqtt5 channel \"readings/t-1\" at mqtt.test:8883",
        "third|channel: payments|amqp channel \"paid\" at amqp.test:5672",
      })
  void shouldFindServerAndChannel(String document, String target, String endpoint) {
    String input = "{\"customer\": {\"id\": \"ada\"}, \"thing\": \"t-1\", \"port\": 4224}";

    MessagePublish made =
        message(document + ".yaml", target + ", message: {payload: '${ . }'}", input);

    assertEquals(endpoint, made.endpoint().toString());
    assertEquals(json(input), made.body());
  }

  @Test
  void shouldReadWhatTheDocumentSaysOfAMessage() {
    MessagePublish made =
        message(
            "third.yaml",
            "operation: takeOrder, message: {payload: {customer: {id: 7}}, headers: {trace: t1}}",
            "{}");

    assertEquals("application/json", made.endpoint().contentType());
    assertEquals(new MessageLocation(true, List.of("trace")), made.endpoint().correlation());
    assertEquals("orders.7", made.endpoint().address());
    assertEquals(List.of(new HttpCall.HeaderField("trace", "t1")), made.carrier().headers());
    assertEquals(
        "application/cloudevents+json",
        message("second.yaml", "channel: orders, message: {}", "{}").endpoint().contentType());
  }

  @Test
  void shouldReadBindings() {
    MessagePublish measured =
        message("third.yaml", "operation: measure, message: {payload: {thing: x}}", "{}");
    assertEquals(2, measured.endpoint().options().qos());
    assertTrue(measured.endpoint().options().retain());
    assertEquals(new MessageServer("mqtt.test", 8883, true, ""), measured.endpoint().server());
    assertEquals(MessageProtocol.MQTT5, measured.endpoint().protocol());

    MessageOptions paid =
        message("third.yaml", "channel: payments, message: {}", "{}").endpoint().options();
    assertEquals("shop", paid.exchange());
    assertNull(paid.queue());
    MessageSubscription jobs =
        subscription("third.yaml", "operation: work, subscription: {consume: {amount: 1}}");
    assertEquals("work", jobs.endpoint().options().queue());
    assertNull(jobs.endpoint().options().exchange());
    assertEquals("shop", jobs.endpoint().server().path());
  }

  @Test
  void shouldSendMessagesOverHttpAsCallsOverHttp() {
    HttpCall call =
        assertInstanceOf(
            HttpCall.class,
            call(
                "third.yaml",
                "channel: orders, server: {name: web, variables: {region: '${ .r }'}},"
                    + " message: {payload: {customer: {id: a b}}, headers: {x: y}}",
                "{\"r\": \"us\"}"));

    assertEquals("POST", call.method());
    assertEquals("https://us.web.test:443/v1/orders.a%20b", call.uri());
    assertEquals(
        List.of(
            new HttpCall.HeaderField("x", "y"),
            new HttpCall.HeaderField("Content-Type", "application/json")),
        call.headers());
  }

  @Test
  void shouldSubscribeOverAnyProtocol() {
    String lifetime = ", subscription: {consume: {amount: 1}}";

    MessageSubscription web =
        subscription("third.yaml", "channel: orders, protocol: http" + lifetime);
    assertEquals("http channel \"orders.nobody\" at eu.web.test:443", web.endpoint().toString());
    assertEquals("https://eu.web.test:443/v1/orders.nobody", web.carrier().uri());
    assertEquals("GET", web.endpoint().options().method());

    MessageSubscription any = subscription("third.yaml", "channel: readings" + lifetime);
    assertEquals("readings/+", any.endpoint().address());
    assertEquals(
        "http channel \"orders/placed\" at web.test:80",
        subscription("second.yaml", "operation: orderPlaced" + lifetime).endpoint().toString());
  }

  @Test
  void shouldReadTheLifetimeOfASubscription() {
    Node.Subscribe task =
        assertInstanceOf(
            Node.Subscribe.class,
            task(
                "third.yaml",
                "channel: orders, subscription: {filter: '${ .payload.a }', consume: {for: PT5S,"
                    + " while: '${ .payload.b }'}, foreach: {item: m, do: [{s: {set: '${ $m }'}}]}}"));

    MessageConsumption consumption = task.consumption();
    assertNotNull(consumption.filter());
    assertNotNull(consumption.condition());
    assertNull(consumption.until());
    assertEquals(
        5_000_000_000L,
        Objects.requireNonNull(consumption.durationNanos())
            .evaluate(Payload.NULL, Scope.EMPTY, budget()));
    assertEquals(MessageConsumption.UNBOUNDED, consumption.amount());
    EventIteration foreach = Objects.requireNonNull(task.foreach());
    assertEquals("m", foreach.item());
    assertEquals("index", foreach.at());
    assertNotNull(foreach.body());
  }

  @Test
  void shouldKeepTheDocumentWithTheDefinition() {
    assertEquals(
        List.of("https://a.test/third.yaml"),
        compiled("third.yaml", "channel: orders, message: {}").documents().stream()
            .map(PinnedDocument::uri)
            .toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{customer: 1}|payload",
        "{customer: {}}|payload",
        "{customer: {id: a.b}}|one part of an address over nats",
        "{customer: {id: '*'}}|one part of an address over nats",
      })
  void shouldSendNothingThatTheDocumentDoesNotAllow(String payload, String expected) {
    String with = "operation: takeOrder, message: {payload: " + payload + "}";

    String error =
        assertThrows(ExpressionException.class, () -> message("third.yaml", with, "{}"))
            .error()
            .toString();

    assertTrue(error.contains(expected) || error.contains("validation"), error);
  }

  @Test
  void shouldSendNothingToAServerThatTheDocumentDoesNotAllow() {
    String with =
        "channel: orders, server: {name: live, variables: {port: '${ .p }', region: '${ .r }'}},"
            + " message: {}";

    for (String input : List.of("{\"p\": 1, \"r\": \"asia\"}", "{\"p\": \"x/y\", \"r\": \"eu\"}")) {
      ExpressionException failure =
          assertThrows(ExpressionException.class, () -> message("second.yaml", with, input));
      assertEquals("Configuration Error", failure.error().title());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "operation: takeOrde, message: {}|expected an operation of the document (takeOrder, tellOrders, measure, work, lost, round, elsewhere, idle), found \"takeOrde\"; did you mean \"takeOrder\"?",
        "channel: order, message: {}|found \"order\"; did you mean \"orders\"?",
        "operation: takeOrder|expected \"message\" or \"subscription\" in the arguments of an AsyncAPI call, found none",
        "operation: takeOrder, message: {}, subscription: {consume: {amount: 1}}|expected either \"message\" or \"subscription\" in the arguments of an AsyncAPI call, found both",
        "operation: takeOrder, messages: {}|found \"messages\"; did you mean \"message\"?",
        "message: {}|expected \"operation\" in the arguments of an AsyncAPI call of a document of version 3, found none",
        "channel: orders, operation: takeOrder, message: {}|expected either \"channel\" or \"operation\", found both",
        "channel: nowhere, message: {}|expected an \"address\" in a channel that is called, found none",
        "operation: idle, message: {}|expected \"channel\" in an operation, found none",
        "operation: lost, message: {}|expected a reference to a value of the document, found \"#/channels/missing\"",
        "operation: round, message: {}|expected a reference that leads to a value, found one that leads back to itself",
        "operation: elsewhere, message: {}|expected a reference within the document, which begins with #/, found \"other.yaml#/channels/x\"; references to other documents are not followed",
        "channel: events, message: {}|a call over kafka (server \"bus\") is not supported, as this engine has no client for it: expected a server whose protocol is one of http, ws, nats, mqtt, mqtt5, amqp",
        "operation: takeOrder, protocol: amqp, message: {}|expected the protocol of a server that has the channel (nats, https), found \"amqp\"",
        "operation: takeOrder, protocol: natz, message: {}|stomp, ws, found \"natz\"; did you mean \"nats\"?",
        "operation: takeOrder, server: {name: bus}, message: {}|expected a server that has the channel (broker, web), found \"bus\"",
        "operation: takeOrder, server: {name: brokr}, message: {}|expected a server of the document (broker, web), found \"brokr\"; did you mean \"broker\"?",
        "operation: takeOrder, server: {}, message: {}|expected \"name\" in an AsyncAPI server, found none",
        "operation: takeOrder, server: {name: web, variables: {region: asia}}, message: {}|expected one of eu, us, found \"asia\"",
        "operation: takeOrder, server: {name: web, variables: {zone: eu}}, message: {}|expected a variable of the server (region), found \"zone\"",
        "operation: takeOrder, message: {header: {}}|expected one of payload, headers in an AsyncAPI message, found \"header\"; did you mean \"headers\"?",
        "operation: takeOrder, message: {headers: 5}|expected an object or an expression within ${ } as \"headers\", found the number 5",
        "channel: loose, message: {}|expected a parameter \"x\" of the channel that has a default or a location in the message, found one without: a call cannot give it a value",
        "channel: orders, subscription: {}|expected \"consume\" in an AsyncAPI subscription, found none",
        "channel: orders, subscription: {consume: {}}|expected one of amount, while, until in the lifetime of a subscription, found none",
        "channel: orders, subscription: {consume: {amount: 1, until: '${ true }'}}|expected one of amount, while, until in the lifetime of a subscription, found both \"amount\" and \"until\"",
        "channel: orders, subscription: {consume: {amount: 0}}|expected an integer of at least 1 as \"amount\", found the number 0",
        "channel: orders, subscription: {consume: {amount: 1, for: soon}}|expected an ISO 8601 duration such as PT1M30S, found \"soon\"",
        "channel: orders, subscription: {consume: {amount: 1}, foreach: {item: x, at: x}}|expected different names as \"item\" and \"at\", found \"x\"",
        "channel: readings, authentication: {bearer: {token: x}}, subscription: {consume: {amount: 1}}|authentication by bearer over mqtt5 is not supported: expected basic",
        "channel: orders, authentication: {digest: {username: a, password: b}}, message: {}|authentication by digest over nats is not supported: expected basic, bearer, oauth2 or oidc",
        "channel: orders, protocol: http, authentication: {digest: {username: a, password: b}}, subscription: {consume: {amount: 1}}|authentication by digest over http is not supported: expected basic, bearer, oauth2 or oidc",
      })
  void shouldSayWhatIsWrong(String with, String problem) {
    List<String> problems = problems("third.yaml", with);

    assertEquals(1, problems.size(), problems::toString);
    assertTrue(problems.getFirst().endsWith(problem), problems::toString);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "second.yaml|channel: orders, subscription: {consume: {amount: 1}}|expected a channel with the operation \"subscribe\", by which others receive messages from it, found \"orders\" without it",
        "second.yaml|operation: placeOrdr, message: {}|expected the operationId of a \"publish\" of the document (placeOrder), found \"placeOrdr\"; did you mean \"placeOrder\"?",
        "second.yaml|message: {}|expected \"channel\" in the arguments of an AsyncAPI call of a document of version 2, found none",
        "second.yaml|channel: orders, server: {name: live}, message: {}|expected a value of the variable \"port\" of the server \"live\", which has no default: name it in \"server.variables\"",
        "first.yaml|channel: orders, message: {}|expected an AsyncAPI document of version 2.0.0 to 2.6.0 or 3.0.0 (\"asyncapi\"), found \"1.2.0\"",
        "none.json|channel: orders, message: {}|expected an AsyncAPI document of version 2.0.0 to 2.6.0 or 3.0.0 (\"asyncapi\"), found none",
        "missing.yaml|channel: orders, message: {}|expected a document, found no https://a.test/missing.yaml",
      })
  void shouldSayWhatIsWrongWithADocument(String document, String with, String problem) {
    List<String> problems = problems(document, with);

    assertEquals(1, problems.size(), problems::toString);
    assertTrue(problems.getFirst().endsWith(problem), problems::toString);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "operation: tellOrders, message: {}|expected an operation with the action \"receive\", since a document tells what the other application does, found \"send\"",
        "operation: takeOrder, subscription: {consume: {amount: 1}}|expected an operation with the action \"send\", since a document tells what the other application does, found \"receive\"",
        "channel: unchecked, message: {}|expected a schema of the payload that can be checked, found: ",
      })
  void shouldWarnOfWhatIsHardlyMeant(String with, String warning) {
    List<Diagnostic> warnings = compiled("third.yaml", with).warnings();

    assertEquals(1, warnings.size(), warnings::toString);
    assertTrue(warnings.getFirst().message().startsWith(warning), warnings::toString);
  }
}
