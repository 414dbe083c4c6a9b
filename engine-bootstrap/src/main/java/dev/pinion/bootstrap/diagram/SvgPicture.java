package dev.pinion.bootstrap.diagram;

import dev.pinion.bootstrap.svg.SvgText;
import dev.pinion.core.diagram.Diagram;
import dev.pinion.core.diagram.PictureRenderer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;

/**
 * Draws diagrams in SVG. Equal diagrams give equal pictures. Tasks are nested as deeply as JSON may
 * be, so each picture is drawn on a thread with a large stack.
 */
public final class SvgPicture implements PictureRenderer {
  private static final double MARGIN = 20;
  private static final double TITLE = 30;
  private static final long STACK_BYTES = 64L << 20;

  private static final Executor STACK =
      task -> Thread.ofPlatform().name("picture").daemon().stackSize(STACK_BYTES).start(task);

  @Override
  public String svg(Diagram diagram) {
    try {
      return CompletableFuture.supplyAsync(() -> drawn(diagram), STACK).join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  private static String drawn(Diagram diagram) {
    DiagramFigure body = new FigureFactory().section(diagram.body(), true);
    double titleWidth = TextWidth.of(diagram.title(), PictureStyle.NAME) * 1.1;
    double width = Math.max(body.width(), titleWidth) + 2 * MARGIN;
    double height = body.height() + TITLE + 2 * MARGIN;
    SvgPage page = new SvgPage();
    page.rectangle("ground", 0.5, 0.5, width - 1, height - 1, 8);
    page.text("name", MARGIN, MARGIN + PictureStyle.NAME, diagram.title());
    body.draw(page, (width - body.width()) / 2, MARGIN + TITLE);
    String size = SvgPage.number(width) + " " + SvgPage.number(height);
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\""
        + " width=\"%s\" height=\"%s\" viewBox=\"0 0 %s\" role=\"img\">\n<title>%s</title>\n<style>\n%s</style>\n%s</svg>\n"
            .formatted(
                SvgPage.number(width),
                SvgPage.number(height),
                size,
                SvgText.escaped(diagram.title()),
                PictureStyle.SHEET,
                page);
  }
}
