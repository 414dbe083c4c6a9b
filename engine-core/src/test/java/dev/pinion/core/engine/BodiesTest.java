package dev.pinion.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.pinion.core.codec.ContentCoding;
import dev.pinion.core.invoker.ScriptedServer;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Bodies of every kind, from a definition in a real engine to a service and back. */
class BodiesTest {
  private static final TestService NONE = request -> new TestService.Answer(500, "{}");

  private final BlockingQueue<String> requests = new LinkedBlockingQueue<>();
  private final BlockingQueue<byte[]> answers = new LinkedBlockingQueue<>();
  private final ScriptedServer service =
      new ScriptedServer(
          conversation -> {
            for (String request = conversation.readRequest();
                !request.isEmpty();
                request = conversation.readRequest()) {
              requests.add(request);
              conversation.send(answers.take());
            }
          });
  private PipelineDriver engine;
  private int versions;

  @BeforeEach
  void open() throws Exception {
    engine = PipelineDriver.Kind.FUSED_1.open(EngineLimits.defaults());
  }

  @AfterEach
  void close() {
    engine.close();
    service.close();
  }

  /** Runs a list of tasks in which SERVICE is the address of the service. */
  private InstanceView run(String tasks, String input) throws Exception {
    String yaml =
        "document: {dsl: 1.0.3, namespace: test, name: bodies, version: 1.0."
            + versions++
            + "}\ndo:\n"
            + tasks.replace("SERVICE", service.uri("/x"));
    return engine.run(yaml, Payload.of(new JsonMapper().readTree(input)), NONE);
  }

  private String output(String tasks, String input) throws Exception {
    InstanceView ended = run(tasks, input);
    assertEquals(InstanceState.COMPLETED, ended.state(), () -> String.valueOf(ended.error()));
    return String.valueOf(ended.output());
  }

  private WorkflowError error(String tasks) throws Exception {
    return Objects.requireNonNull(run(tasks, "{}").error());
  }

  private void answer(String status, String fields, byte[] body) {
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    String head =
        "HTTP/1.1 " + status + "\r\n" + fields + "Content-Length: " + body.length + "\r\n\r\n";
    answer.writeBytes(utf8(head));
    answer.writeBytes(body);
    answers.add(answer.toByteArray());
  }

  private void answer(String type, String body) {
    answer("200 OK", "Content-Type: " + type + "\r\n", utf8(body));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String body(String request) {
    return request.substring(request.indexOf("\r\n\r\n") + 4);
  }

  private static String field(String request, String name) {
    int begin = request.indexOf(name + ": ") + name.length() + 2;
    return request.substring(begin, request.indexOf("\r\n", begin));
  }

  @Test
  void shouldSendTheSamePartsInEachAttempt() throws Exception {
    answer("503 Busy", "", new byte[0]);
    answer("application/json", "\"stored\"");
    String output =
        output(
            """
            - send:
                try:
                  - upload:
                      call: http
                      with:
                        method: post
                        endpoint: SERVICE
                        headers: {Content-Type: multipart/form-data}
                        body:
                          title: ${ .title }
                          photo: {base64: '${ .photo }', filename: cat.png, contentType: image/png}
                catch:
                  retry: {delay: {milliseconds: 1}, limit: {attempt: {count: 1}}}
            """,
            "{\"title\": \"a \\\"cat\\\"\", \"photo\": \"Y2F0\"}");

    assertEquals("\"stored\"", output);
    List<String> sent = new ArrayList<>(requests);
    assertEquals(2, sent.size());
    assertEquals(body(sent.get(0)), body(sent.get(1)));
    assertEquals(field(sent.get(0), "Content-Type"), field(sent.get(1), "Content-Type"));
    String type = field(sent.get(0), "Content-Type");
    String boundary = type.substring(type.indexOf("boundary=") + 9);
    assertEquals(
        String.join(
            "\r\n",
            "--" + boundary,
            "Content-Disposition: form-data; name=\"title\"",
            "",
            "a \"cat\"",
            "--" + boundary,
            "Content-Disposition: form-data; name=\"photo\"; filename=\"cat.png\"",
            "Content-Type: image/png",
            "",
            "cat",
            "--" + boundary + "--",
            ""),
        body(sent.get(0)));
  }

  @Test
  void shouldSendAndReadXmlAsJson() throws Exception {
    answer(
        "application/soap+xml", "<s:Reply xmlns:s='urn:s'><s:Item/><s:Item>2</s:Item></s:Reply>");
    String output =
        output(
            """
            - ask:
                metadata: {pinion: {xml: json}}
                call: http
                with:
                  method: post
                  endpoint: SERVICE
                  headers: {Content-Type: application/soap+xml, Accept: application/soap+xml}
                  body: {'s:Ask': {'@xmlns:s': 'urn:s', 's:Id': '${ .id }'}}
                output: {as: '.["s:Reply"]["s:Item"]'}
            """,
            "{\"id\": 7}");

    assertEquals("[null,\"2\"]", output);
    assertEquals(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><s:Ask xmlns:s=\"urn:s\"><s:Id>7</s:Id></s:Ask>",
        body(requests.remove()));
  }

  @Test
  void shouldReadTheContentOfAWholeResponse() throws Exception {
    for (String form : List.of("text", "json")) {
      answer("application/xml", "<a>1</a>");
      assertEquals(
          form.equals("json") ? "[200,{\"a\":\"1\"}]" : "[200,\"<a>1</a>\"]",
          output(
              """
              - ask:
                  metadata: {pinion: {xml: FORM}}
                  call: http
                  with: {method: get, endpoint: SERVICE, output: response}
                  output: {as: '[.statusCode, .content]'}
              """
                  .replace("FORM", form),
              "{}"));
    }
  }

  private static final String GET =
      """
      - ask:
          metadata: {pinion: {xml: json}}
          call: http
          with: {method: get, endpoint: SERVICE}
      """;

  @Test
  void shouldReadFormsLinesAndBytes() throws Exception {
    answer("application/x-www-form-urlencoded", "a=1&a=%C3%BC&b=");
    assertEquals("{\"a\":[\"1\",\"\u00fc\"],\"b\":\"\"}", output(GET, "{}"));
    answer("application/x-ndjson", "{\"a\":1}\n2\n");
    assertEquals("\"{\\\"a\\\":1}\\n2\\n\"", output(GET, "{}"));
    answer("200 OK", "Content-Type: image/png\r\n", new byte[] {0, (byte) 0xff});
    assertEquals("\"AP8=\"", output(GET, "{}"));
  }

  @Test
  void shouldTellWhereXmlIsMalformedToACatch() throws Exception {
    answer("application/xml", "<a>\n  <b></c>\n</a>");
    String output =
        output(
            """
            - guarded:
                try:
                  - ask:
                      metadata: {pinion: {xml: json}}
                      call: http
                      with: {method: get, endpoint: SERVICE}
                catch:
                  errors: {with: {type: https://open-workflow-specification.org/spec/1.0.0/errors/communication}}
                  as: e
                  do:
                    - tell: {set: {detail: '${ $e.detail }', status: '${ $e.status }'}}
            """,
            "{}");

    assertTrue(output.contains("could not be read: expected well-formed XML at line 2, column "));
    assertTrue(output.endsWith("\"status\":500}"), output);
  }

  @Test
  void shouldReadCompressedAnswers() throws Exception {
    answer(
        "200 OK",
        "Content-Type: application/json\r\nContent-Encoding: gzip\r\n",
        ContentCoding.GZIP.encode(utf8("{\"a\": 1}"), 6));
    assertEquals("{\"a\":1}", output(GET, "{}"));
    assertTrue(!requests.remove().contains("Accept-Encoding"));

    answer(
        "404 Not Found",
        "Content-Type: text/plain\r\nContent-Encoding: deflate\r\n",
        ContentCoding.DEFLATE.encode(utf8("no such thing"), 6));
    assertTrue(String.valueOf(error(GET).detail()).endsWith("found 404: no such thing"));
  }

  @Test
  void shouldRefuseABombByTheNameOfItsLimit() throws Exception {
    answer(
        "200 OK",
        "Content-Type: text/plain\r\nContent-Encoding: gzip\r\n",
        ContentCoding.GZIP.encode(new byte[64 << 20], 9));
    WorkflowError error = error(GET);
    assertEquals(ErrorType.COMMUNICATION.uri(), error.type());
    assertTrue(
        String.valueOf(error.detail())
            .endsWith(
                "expected a body that decompresses to at most 4194304 bytes"
                    + " (invoker.maxResponseBytes), found a longer one"));
  }

  @Test
  void shouldSendNothingThatItsTypeCannotHold() throws Exception {
    for (String[] each :
        new String[][] {
          {"image/png", "{base64: 'not base 64'}", "expected base 64 as \"base64\""},
          {"multipart/form-data", "{a: {b: 1}}", "expected either \"content\" or \"base64\""},
          {"application/xml", "{a: 1, b: 2}", "expected an object with one member"},
          {"multipart/mixed", "{a: 1}", "expected a string with its boundaries"},
          {"'text/plain', Content-Encoding: gzip", "abc", "expected no Content-Encoding"}
        }) {
      WorkflowError error =
          error(
              """
              - send:
                  call: http
                  with: {method: post, endpoint: SERVICE, headers: {Content-Type: TYPE}, body: BODY}
              """
                  .replace("TYPE", each[0])
                  .replace("BODY", each[1]));
      assertEquals(ErrorType.CONFIGURATION.uri(), error.type());
      assertTrue(String.valueOf(error.detail()).contains(each[2]), error.toString());
    }
    assertEquals(0, service.connections());
  }
}
