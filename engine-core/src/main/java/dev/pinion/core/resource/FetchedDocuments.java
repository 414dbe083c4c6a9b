package dev.pinion.core.resource;

import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.language.reference.DocumentSource;
import dev.pinion.core.language.reference.UnavailableDocumentException;
import dev.pinion.core.limits.DefinitionLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.PinnedDocument;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Documents that are fetched for one definition, within a time for all of them. */
final class FetchedDocuments implements DocumentSource {
  /** Redirections within one origin that are followed for a document. */
  private static final int MAX_REDIRECTIONS = 5;

  private static final String YAML = "application/yaml";
  private static final String JSON = "application/json";
  private static final int OK = 200;

  private final DefinitionLimits limits;
  private final AllowedDocuments allowed;
  private final Function<EventLoop, ServiceCaller> callers;
  private final Clock clock;
  private final long endNanos;
  private @Nullable DocumentClient client;

  FetchedDocuments(
      DefinitionLimits limits,
      AllowedDocuments allowed,
      Function<EventLoop, ServiceCaller> callers,
      Clock clock) {
    this.limits = limits;
    this.allowed = allowed;
    this.callers = callers;
    this.clock = clock;
    this.endNanos = clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limits.fetchMillis());
  }

  @Override
  public PinnedDocument get(String uri) throws UnavailableDocumentException {
    if (AllowedDocuments.isFile(uri)) {
      Path file = allowed.file(uri);
      return document(uri, type(uri, null), bytes(uri, file));
    }
    DocumentClient.Answer answer = answer(uri);
    return document(uri, type(uri, answer.contentType()), answer.body());
  }

  private byte[] bytes(String uri, Path file) throws UnavailableDocumentException {
    if (!Files.isRegularFile(file)) {
      throw new UnavailableDocumentException("expected the document " + uri + ", found no file");
    }
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(limits.maxDocumentBytes() + 1);
    } catch (IOException e) {
      throw new UnavailableDocumentException(
          "expected the document " + uri + " to be readable, found " + e.getMessage());
    }
  }

  private DocumentClient.Answer answer(String uri) throws UnavailableDocumentException {
    URI at = parsed(uri);
    for (int redirections = 0; redirections <= MAX_REDIRECTIONS; redirections++) {
      allowed.url(at);
      DocumentClient.Answer answer = client().get(at.toString(), nanosLeft());
      if (answer.status() == OK) {
        return checked(uri, answer);
      }
      if (answer.location() == null || answer.status() / 100 != 3) {
        throw new UnavailableDocumentException(
            "expected status 200 from " + at + ", found " + answer.status());
      }
      at = redirected(at, answer.location());
    }
    throw new UnavailableDocumentException(
        "expected at most " + MAX_REDIRECTIONS + " redirections of " + uri + ", found more");
  }

  private static DocumentClient.Answer checked(String uri, DocumentClient.Answer answer)
      throws UnavailableDocumentException {
    String coding = answer.contentEncoding();
    if (coding != null && !coding.equalsIgnoreCase("identity")) {
      throw new UnavailableDocumentException(
          "expected " + uri + " without content coding, found " + coding);
    }
    return answer;
  }

  /** The new place of a document, which must be one of the same server. */
  private static URI redirected(URI from, String location) throws UnavailableDocumentException {
    URI to;
    try {
      to = from.resolve(new URI(location));
    } catch (URISyntaxException e) {
      throw new UnavailableDocumentException(
          "expected a redirection of " + from + " to a URI, found another text");
    }
    boolean same =
        from.getScheme().equalsIgnoreCase(String.valueOf(to.getScheme()))
            && from.getRawAuthority().equalsIgnoreCase(String.valueOf(to.getRawAuthority()));
    if (!same) {
      throw new UnavailableDocumentException(
          "expected no redirection of "
              + from
              + " to another server, found one to "
              + to.getScheme()
              + "://"
              + to.getRawAuthority());
    }
    return to;
  }

  private static URI parsed(String uri) throws UnavailableDocumentException {
    try {
      return new URI(uri);
    } catch (URISyntaxException e) {
      throw new UnavailableDocumentException("expected the URI of a document, found " + uri);
    }
  }

  private DocumentClient client() {
    DocumentClient open = client;
    if (open == null) {
      open = new DocumentClient(callers, clock);
      client = open;
    }
    return open;
  }

  private long nanosLeft() throws UnavailableDocumentException {
    long left = endNanos - clock.nanoTime();
    if (left <= 0) {
      throw new UnavailableDocumentException(
          "expected all documents within "
              + limits.fetchMillis()
              + " ms (definition.fetchMillis), found them slower");
    }
    return left;
  }

  private PinnedDocument document(String uri, String mediaType, byte[] bytes)
      throws UnavailableDocumentException {
    if (bytes.length > limits.maxDocumentBytes()) {
      throw new UnavailableDocumentException(
          "expected at most "
              + limits.maxDocumentBytes()
              + " bytes (definition.maxDocumentBytes) at "
              + uri
              + ", found more");
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return PinnedDocument.of(uri, mediaType, text);
    } catch (CharacterCodingException e) {
      throw new UnavailableDocumentException(
          "expected text in UTF-8 at " + uri + ", found other bytes");
    }
  }

  /** JSON where the server or the name says so; servers of raw files often call YAML plain text. */
  private static String type(String uri, @Nullable String contentType) {
    String said = contentType == null ? "" : contentType.toLowerCase(Locale.ROOT);
    String essence = said.contains(";") ? said.substring(0, said.indexOf(';')).strip() : said;
    boolean json = essence.equals(JSON) || essence.endsWith("+json");
    String path = uri.replaceFirst("[?#].*", "").toLowerCase(Locale.ROOT);
    return json || path.endsWith(".json") ? JSON : YAML;
  }

  @Override
  public void close() {
    if (client != null) {
      client.close();
    }
  }
}
