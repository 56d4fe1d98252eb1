package io.delayjob.dashboard;

import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;

/**
 * Screenshots with a palette: a third of their size, and no difference that is seen, because a page has few colours.
 */
final class SmallPng {

    /** Enough for text, lines and the colours of handlers. */
    private static final int COLOURS = 32;

    /** Number of the most frequent colours, those of surfaces, which stay exactly as they are. */
    private static final int SURFACES = 8;

    /** Bits of each channel that tell colours apart at first. */
    private static final int COARSE = 0xF8F8F8;

    /** More than the square of the distance of black and white. */
    private static final int FAR = 1 << 18;

    private SmallPng() {}

    static byte[] of(byte[] png) throws IOException {
        BufferedImage full = ImageIO.read(new ByteArrayInputStream(png));
        int width = full.getWidth();
        int height = full.getHeight();
        int[] pixels = full.getRGB(0, 0, width, height, null, 0, width);
        int[] palette = palette(pixels);
        BufferedImage small = new BufferedImage(
                width,
                height,
                BufferedImage.TYPE_BYTE_INDEXED,
                new IndexColorModel(8, palette.length, palette, 0, false, -1, 0));
        Map<Integer, Integer> nearest = new HashMap<>();
        for (int i = 0; i < pixels.length; i++) {
            int index = nearest.computeIfAbsent(pixels[i] & 0xFFFFFF, colour -> nearest(palette, colour));
            small.getRaster().setSample(i % width, i / width, 0, index);
        }
        return encoded(small);
    }

    /**
     * First the surfaces, then one after the other the colour that is there most often and least like those before it.
     */
    private static int[] palette(int[] pixels) {
        Map<Integer, Integer> counts = new HashMap<>();
        for (int pixel : pixels) {
            counts.merge(pixel & 0xFFFFFF, 1, Integer::sum);
        }
        Map<Integer, Integer> often = new HashMap<>();
        Map<Integer, Integer> sums = new HashMap<>();
        counts.forEach((colour, count) -> {
            sums.merge(colour & COARSE, count, Integer::sum);
            often.merge(colour & COARSE, colour, (a, b) -> counts.get(a) >= counts.get(b) ? a : b);
        });
        List<Integer> surfaces = counts.entrySet().stream()
                .sorted(Map.Entry.<Integer, Integer>comparingByValue().reversed())
                .limit(SURFACES)
                .map(Map.Entry::getKey)
                .toList();
        int[] palette = new int[surfaces.size() + Math.min(COLOURS, sums.size())];
        Map<Integer, Long> distances = new HashMap<>();
        for (int i = 0; i < surfaces.size(); i++) {
            int colour = surfaces.get(i);
            palette[i] = colour;
            sums.keySet().forEach(coarse -> distances.merge(coarse, distance(often.get(coarse), colour), Math::min));
        }
        for (int chosen = surfaces.size(); chosen < palette.length; chosen++) {
            int next = Collections.max(
                    sums.keySet(),
                    Comparator.comparingDouble(
                            coarse -> Math.cbrt(sums.get(coarse)) * distances.getOrDefault(coarse, (long) FAR)));
            int colour = often.get(next);
            palette[chosen] = colour;
            sums.keySet().forEach(coarse -> distances.merge(coarse, distance(often.get(coarse), colour), Math::min));
        }
        return palette;
    }

    private static int nearest(int[] palette, int colour) {
        int best = 0;
        long least = FAR;
        for (int i = 0; i < palette.length; i++) {
            long distance = distance(palette[i], colour);
            if (distance < least) {
                least = distance;
                best = i;
            }
        }
        return best;
    }

    private static long distance(int one, int other) {
        long red = (one >> 16 & 0xFF) - (other >> 16 & 0xFF);
        long green = (one >> 8 & 0xFF) - (other >> 8 & 0xFF);
        long blue = (one & 0xFF) - (other & 0xFF);
        return red * red + green * green + blue * blue;
    }

    private static byte[] encoded(BufferedImage image) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ImageWriter writer =
                ImageIO.getImageWriters(new ImageTypeSpecifier(image), "png").next();
        ImageWriteParam most = writer.getDefaultWriteParam();
        most.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
        most.setCompressionQuality(0);
        try (ImageOutputStream out = ImageIO.createImageOutputStream(bytes)) {
            writer.setOutput(out);
            writer.write(null, new IIOImage(image, null, null), most);
        } finally {
            writer.dispose();
        }
        return bytes.toByteArray();
    }
}
