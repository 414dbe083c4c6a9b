package dev.pinion.handlers.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.config.HandlerKinds;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Filters of Jakarta Servlet as handlers. */
class ServletFilterTest {
  private static final PayloadCodec CODEC = new PayloadCodec(EngineLimits.defaults().json());

  /** The action of the filters below, by the init parameter "does". */
  public static final class Doing implements Filter {
    private String does = "";

    /** For the handler. */
    public Doing() {}

    @Override
    public void init(FilterConfig config) throws ServletException {
      does = String.valueOf(config.getInitParameter("does"));
      if (does.equals("refuse")) {
        throw new ServletException("no such mood");
      }
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      HttpServletRequest asked = (HttpServletRequest) request;
      HttpServletResponse answer = (HttpServletResponse) response;
      switch (does) {
        case "guard" -> {
          if ("let me in".equals(asked.getHeader("Authorization"))) {
            chain.doFilter(request, response);
          } else {
            answer.setHeader("WWW-Authenticate", "Phrase");
            answer.sendError(401, "not you, " + asked.getRemoteAddr());
          }
        }
        case "user" ->
            chain.doFilter(
                new HttpServletRequestWrapper(asked) {
                  @Override
                  public String getHeader(String name) {
                    return name.equals("x-user") ? "ann" : super.getHeader(name);
                  }
                },
                response);
        case "echo" -> {
          answer.setStatus(203);
          answer.setContentType("text/plain");
          answer
              .getWriter()
              .print(
                  asked.getMethod()
                      + " "
                      + asked.getRequestURI()
                      + " "
                      + asked.getParameter("q")
                      + " "
                      + asked.getContentType()
                      + " "
                      + asked.getReader().readLine());
        }
        case "header" -> {
          answer.setHeader("X-Frame-Options", "DENY");
          chain.doFilter(request, response);
        }
        case "upper" -> chain.doFilter(request, new Upper(answer));
        case "session" -> asked.getSession();
        case "twice" -> {
          chain.doFilter(request, response);
          chain.doFilter(request, response);
        }
        default -> throw new ServletException("unknown: " + does);
      }
    }
  }

  /** An application's filter in a jar outside the class path. */
  @Test
  void shouldFindAFilterOnThePathOfHandlers(@TempDir Path folder) throws Exception {
    Path jar = folder.resolve("filters.jar");
    ClassDesc chain = ClassDesc.of("jakarta.servlet.FilterChain");
    ClassDesc request = ClassDesc.of("jakarta.servlet.ServletRequest");
    ClassDesc response = ClassDesc.of("jakarta.servlet.ServletResponse");
    byte[] filter =
        ClassFile.of()
            .build(
                ClassDesc.of("app.OfTheJar"),
                type ->
                    type.withFlags(ClassFile.ACC_PUBLIC)
                        .withInterfaceSymbols(ClassDesc.of("jakarta.servlet.Filter"))
                        .withMethodBody(
                            ConstantDescs.INIT_NAME,
                            ConstantDescs.MTD_void,
                            ClassFile.ACC_PUBLIC,
                            code ->
                                code.aload(0)
                                    .invokespecial(
                                        ConstantDescs.CD_Object,
                                        ConstantDescs.INIT_NAME,
                                        ConstantDescs.MTD_void)
                                    .return_())
                        .withMethodBody(
                            "doFilter",
                            MethodTypeDesc.of(ConstantDescs.CD_void, request, response, chain),
                            ClassFile.ACC_PUBLIC,
                            code -> code.return_()));
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new JarEntry("app/OfTheJar.class"));
      out.write(filter);
    }
    HandlerFactory factory =
        Objects.requireNonNull(
            HandlerKinds.installed(ServletFilterTest.class.getClassLoader(), List.of(jar))
                .byName()
                .get("servlet-filter"));
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    Settings settings =
        new Settings(Payload.object(Map.of("class", Payload.of("app.OfTheJar"))), "");

    try (Handler handler = factory.create(settings)) {
      assertTrue(handler.declaration().mustPerform());
    }
    assertEquals(List.of(), settings.problems());
    assertEquals(before, Thread.currentThread().getContextClassLoader());
  }

  /** Makes capital letters of what is written. */
  private static final class Upper extends HttpServletResponseWrapper {
    Upper(HttpServletResponse response) {
      super(response);
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
      ServletOutputStream out = super.getOutputStream();
      return new ServletOutputStream() {
        @Override
        public void write(int value) throws IOException {
          out.write(Character.toUpperCase(value));
        }

        @Override
        public boolean isReady() {
          return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {}
      };
    }
  }

  private static Settings settings(String does, String more) throws Exception {
    byte[] json =
        ("{\"class\": \""
                + Doing.class.getName()
                + "\", \"parameters\": {\"does\": \""
                + does
                + "\"}"
                + more
                + "}")
            .getBytes(StandardCharsets.UTF_8);
    return new Settings(CODEC.read(json, 0, json.length), "/settings");
  }

  private static Verdict verdict(String does, String more, Message message) throws Exception {
    try (Handler handler = new ServletFilterFactory().create(settings(does, more))) {
      return handler.handle(View.of(message, handler.declaration()));
    }
  }

  private static Message request(Map<String, String> fields) {
    return message(
        Point.REQUEST_IN,
        Map.of("http.method", "POST", "http.path", "/a/b?q=1%202", "client.address", "::1"),
        fields);
  }

  private static Message answer() {
    return message(
        Point.RESPONSE_OUT, Map.of("http.status", "200"), Map.of("header.etag", "\"1\""));
  }

  private static Message message(
      Point point, Map<String, String> known, Map<String, String> fields) {
    Map<String, String> all = new HashMap<>(known);
    all.putAll(fields);
    byte[] body = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);
    return Message.of(new MessageId(1, 2), point, all, Body.of(body, Body.JSON));
  }

  private static Message after(String does, String more, Message message) throws Exception {
    Verdict verdict = verdict(does, more, message);
    return message.with(assertInstanceOf(Verdict.GoOn.class, verdict).changes(), CODEC);
  }

  private static String text(Body body) {
    return new String(body.bytes(CODEC), StandardCharsets.UTF_8);
  }

  private static String failure(String does, String more, Message message) {
    return assertThrows(RuntimeException.class, () -> verdict(does, more, message)).toString();
  }

  @Test
  void shouldGoOnWhereTheFilterCallsItsChainAndStopWhereItDoesNot() throws Exception {
    Message known = request(Map.of("header.authorization", "let me in"));
    assertEquals(known, after("guard", "", known));
    Verdict.Answer refused =
        assertInstanceOf(Verdict.Answer.class, verdict("guard", "", request(Map.of())));
    assertEquals(401, refused.status());
    assertEquals(Map.of("www-authenticate", "Phrase"), refused.headers());
    assertEquals("not you, ::1", text(refused.body()));
  }

  @Test
  void shouldShowTheRequest() throws Exception {
    Verdict.Answer echo =
        assertInstanceOf(Verdict.Answer.class, verdict("echo", "", request(Map.of())));
    assertEquals("POST /a/b 1 2 application/json {\"a\":1}", text(echo.body()));
    assertEquals("203 text/plain", echo.status() + " " + echo.body().mediaType());
  }

  @Test
  void shouldTakeFieldsOfWrappersThatItMayWrite() throws Exception {
    Message named = after("user", ", \"writes\": [\"X-User\"]", request(Map.of()));
    assertEquals("ann", named.properties().get("header.x-user"));
  }

  @Test
  void shouldChangeAnswers() throws Exception {
    Message denied = after("header", ", \"writes\": [\"x-frame-options\"]", answer());
    assertEquals("DENY", denied.properties().get("header.x-frame-options"));
    assertEquals("\"1\"", denied.properties().get("header.etag"));
    assertEquals("{\"A\":1}", text(after("upper", ", \"body\": true", answer()).body()));
  }

  @Test
  void shouldRefuseByNameWhatIsNotSupported() throws Exception {
    String session = failure("session", "", request(Map.of()));
    assertTrue(session.contains("UnsupportedOperationException"), session);
    assertTrue(session.contains("HttpServletRequest.getSession"), session);
    String lost = failure("header", ", \"writes\": [\"x-frame-options\"]", request(Map.of()));
    assertTrue(lost.contains("attach it at response-out"), lost);
    assertTrue(failure("header", "", answer()).contains("found it changing x-frame-options"));
    assertTrue(failure("upper", "", answer()).contains("set body: true"));
    assertTrue(failure("twice", "", answer()).contains("found it again"));
    assertTrue(failure("guard", "", answer()).contains("getHeader at response-out"));
    Message call = message(Point.BEFORE_CALL, Map.of(), Map.of());
    assertTrue(failure("twice", "", call).contains("found it at before-call"));
    assertThrows(
        IOException.class,
        () -> verdict("upper", ", \"body\": true, \"maxBodyBytes\": 6", answer()));
    after("upper", ", \"body\": true, \"maxBodyBytes\": 7", answer());
  }

  @Test
  void shouldSayWhatIsWrongWithSettings() throws Exception {
    Settings started = settings("refuse", "");
    assertThrows(IllegalArgumentException.class, () -> new ServletFilterFactory().create(started));
    assertTrue(started.problems().toString().contains("no such mood"));
    for (String name : new String[] {"com.example.None", "java.lang.String"}) {
      byte[] json = ("{\"class\": \"" + name + "\"}").getBytes(StandardCharsets.UTF_8);
      Settings wrong = new Settings(CODEC.read(json, 0, json.length), "");
      assertThrows(IllegalArgumentException.class, () -> new ServletFilterFactory().create(wrong));
      assertTrue(wrong.problems().toString().contains("jakarta.servlet.Filter"));
    }
    Settings fields = settings("user", ", \"writes\": [\"a b\"]");
    new ServletFilterFactory().create(fields).close();
    assertTrue(fields.problems().toString().contains("expected names of fields"));
  }
}
