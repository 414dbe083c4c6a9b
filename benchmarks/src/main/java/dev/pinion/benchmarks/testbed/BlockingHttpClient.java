package dev.pinion.benchmarks.testbed;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.util.Locale;

/**
 * One connection that sends requests and reads responses at hardly any cost: first calls are to be
 * those of the engine. Used by one thread.
 */
public final class BlockingHttpClient implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int TIMEOUT_MILLIS = 30_000;
  private static final int MAX_HEAD = 1 << 16;

  private final Socket socket;
  private final InputStream in;

  /**
   * A response.
   *
   * @param text its body
   */
  public record Response(int status, String text) {
    /** The body as JSON. */
    public JsonNode json() throws IOException {
      return JSON.readTree(text);
    }
  }

  /** A request. */
  public record Request(String method, String path, String type, String body, String header) {
    public static Request get(String path) {
      return new Request("GET", path, "", "", "");
    }

    public static Request post(String path, String body) {
      return new Request("POST", path, body.isEmpty() ? "" : "application/json", body, "");
    }
  }

  /** Connects. */
  public BlockingHttpClient(URI server) throws IOException {
    socket = new Socket(server.getHost(), server.getPort());
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    in = new BufferedInputStream(socket.getInputStream());
  }

  /** Sends a request and reads the whole response. */
  public Response exchange(Request ask) throws IOException {
    return send(ask, ask.body().getBytes(UTF_8));
  }

  /** Posts a body and reads the whole response. */
  public Response post(String path, byte[] body) throws IOException {
    return send(new Request("POST", path, "", "", ""), body);
  }

  private Response send(Request ask, byte[] body) throws IOException {
    String head =
        ask.method()
            + " "
            + ask.path()
            + " HTTP/1.1\r\nhost: localhost\r\ncontent-length: "
            + body.length
            + (ask.type().isEmpty() ? "" : "\r\ncontent-type: " + ask.type())
            + (ask.header().isEmpty() ? "" : "\r\n" + ask.header())
            + "\r\n\r\n";
    ByteArrayOutputStream all = new ByteArrayOutputStream(head.length() + body.length);
    all.writeBytes(head.getBytes(ISO_8859_1));
    all.writeBytes(body);
    socket.getOutputStream().write(all.toByteArray());
    return read();
  }

  private Response read() throws IOException {
    String status = line();
    int length = 0;
    for (String field = line(); !field.isEmpty(); field = line()) {
      String name = field.toLowerCase(Locale.ROOT);
      if (name.startsWith("content-length:")) {
        length = Integer.parseInt(name.substring("content-length:".length()).strip());
      } else if (name.startsWith("transfer-encoding:")) {
        throw new IOException("expected an answer with its length, found " + field);
      }
    }
    byte[] body = in.readNBytes(length);
    if (body.length < length || status.length() < 12) {
      throw new IOException("expected a whole answer, found its beginning: " + status);
    }
    return new Response(Integer.parseInt(status.substring(9, 12)), new String(body, UTF_8));
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0 || line.length() > MAX_HEAD) {
        throw new IOException("expected a line of an answer, found its end: " + line);
      }
      line.append((char) c);
    }
    return line.toString().strip();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
