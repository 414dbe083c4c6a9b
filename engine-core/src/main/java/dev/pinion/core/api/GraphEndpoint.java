package dev.pinion.core.api;

import dev.pinion.core.diagram.Diagram;
import dev.pinion.core.diagram.DiagramJson;
import dev.pinion.core.diagram.DiagramReader;
import dev.pinion.core.diagram.DiagramTooLargeException;
import dev.pinion.core.diagram.MermaidText;
import dev.pinion.core.diagram.PictureRenderer;
import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.EntityTags;
import dev.pinion.core.http.message.MediaTypes;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.http.message.Response;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.DeployedDefinition;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.DefinitionCatalog;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Draws definitions: as a picture, in Mermaid, or as nodes and edges. */
final class GraphEndpoint {
  /** Types of drawings, the preferred one first. */
  static final List<String> OFFERED =
      List.of(MediaTypes.SVG, MediaTypes.MERMAID, MediaTypes.TEXT, MediaTypes.JSON);

  /** A picture loads nothing and runs nothing, whatever the names in it are. */
  private static final String PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'";

  private final DefinitionCatalog definitionCatalog;
  private final @Nullable PictureRenderer pictures;
  private final AncillaryTasks tasks;
  private final int maxTasks;

  /**
   * Drawings of the definitions of a context.
   *
   * @param maxTasks most tasks of a definition that is drawn
   */
  GraphEndpoint(RequestContext context, int maxTasks) {
    this.definitionCatalog = context.ports().definitions();
    this.pictures = context.ports().replica().pictures();
    this.tasks = new AncillaryTasks(context);
    this.maxTasks = maxTasks;
  }

  /** Draws the version of the path. */
  void get(HttpExchange httpExchange) throws ProblemException {
    DefinitionKey key = DefinitionEndpoints.key(httpExchange);
    DeployedDefinition info = definitionCatalog.find(key);
    if (info == null) {
      throw DefinitionEndpoints.notFound(key.toString());
    }
    String type = type(httpExchange);
    String etag = "\"" + info.sha256() + "." + type.substring(type.indexOf('/') + 1) + "\"";
    if (EntityTags.matches(httpExchange.headers("if-none-match"), etag)) {
      httpExchange.respond(described(Response.empty(304), etag));
      return;
    }
    tasks.execute(
        httpExchange,
        "a drawing of a definition failed",
        () -> {
          try {
            byte[] drawing = drawing(info.document(), type).getBytes(StandardCharsets.UTF_8);
            httpExchange.onLoop(() -> httpExchange.respond(response(type, drawing, etag)));
          } catch (DiagramTooLargeException e) {
            httpExchange.onLoop(() -> httpExchange.reject(tooLarge(e)));
          }
        });
  }

  /** The type that the client prefers among those that this replica has. */
  private String type(HttpExchange httpExchange) throws ProblemException {
    String wanted = httpExchange.mediaType();
    if (pictures != null || !wanted.equals(MediaTypes.SVG)) {
      return wanted;
    }
    String accept = String.join(",", httpExchange.headers("accept"));
    String other = MediaTypes.choose(accept, OFFERED.subList(1, OFFERED.size()));
    if (other == null) {
      throw new ProblemException(
          ProblemType.NOT_ACCEPTABLE,
          "expected Accept to take " + MediaTypes.MERMAID + ": this engine draws no pictures");
    }
    return other;
  }

  private String drawing(Payload document, String type) throws DiagramTooLargeException {
    Diagram diagram = DiagramReader.read(document, maxTasks);
    if (pictures != null && type.equals(MediaTypes.SVG)) {
      return pictures.svg(diagram);
    }
    return type.equals(MediaTypes.JSON)
        ? DiagramJson.of(diagram).toString()
        : MermaidText.of(diagram);
  }

  private static Response response(String type, byte[] drawing, String etag) {
    boolean text = type.startsWith("text/");
    Response response = Response.of(200, text ? type + MediaTypes.UTF_8 : type, drawing);
    return type.equals(MediaTypes.SVG)
        ? described(response, etag).field("content-security-policy", PICTURE_POLICY)
        : described(response, etag);
  }

  private static Response described(Response response, String etag) {
    return response.field("etag", etag).field("vary", "accept");
  }

  private static Problem tooLarge(DiagramTooLargeException e) {
    return Problem.of(ProblemType.TOO_LARGE_TO_DRAW, String.valueOf(e.getMessage()))
        .with("limit", Payload.of(DiagramTooLargeException.LIMIT));
  }
}
