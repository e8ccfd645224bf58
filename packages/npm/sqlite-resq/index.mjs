import resq from './index.cjs';

export const { getLoadablePath, load } = resq;
export default resq;
