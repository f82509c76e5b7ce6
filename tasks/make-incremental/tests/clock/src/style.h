#ifndef STYLE_H
#define STYLE_H

#define SEPARATOR ":"

#endif
